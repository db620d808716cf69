package trackside.runtime;

/** Threads by their numbers, for records that speak of other threads. */
final class ThreadsById {
    private static final int PAGE = 1 << 10;

    /** Numbers are not used again, so pages on which nobody is left are given up. */
    private static ThreadLog[][] pages = new ThreadLog[16][];

    private static int[] counts = new int[16];

    private ThreadsById() {}

    static synchronized void put(ThreadLog log) {
        int page = log.id / PAGE;
        if (page >= pages.length) {
            pages = java.util.Arrays.copyOf(pages, 2 * page);
            counts = java.util.Arrays.copyOf(counts, 2 * page);
        }
        if (pages[page] == null) pages[page] = new ThreadLog[PAGE];
        pages[page][log.id % PAGE] = log;
        counts[page]++;
    }

    static synchronized ThreadLog of(int id) {
        ThreadLog[] page = pages[id / PAGE];
        return page == null ? null : page[id % PAGE];
    }

    /** Nobody speaks of it any more. */
    static synchronized void remove(ThreadLog log) {
        int page = log.id / PAGE;
        pages[page][log.id % PAGE] = null;
        if (--counts[page] == 0) pages[page] = null;
    }
}
