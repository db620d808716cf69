package trackside.runtime;

/** Threads by their numbers, for records that speak of other threads. */
final class ThreadsById {
    private static final int PAGE = 1 << 10;

    /** Numbers are not used again, so pages on which nobody is left are given up. */
    private static ThreadLog[][] pages = new ThreadLog[16][];

    private static int[] counts = new int[16];

    private static final SpinLock lock = new SpinLock();

    private ThreadsById() {}

    static void put(ThreadLog log) {
        lock.lock();
        int page = log.id / PAGE;
        if (page >= pages.length) {
            pages = java.util.Arrays.copyOf(pages, 2 * page);
            counts = java.util.Arrays.copyOf(counts, 2 * page);
        }
        if (pages[page] == null) pages[page] = new ThreadLog[PAGE];
        pages[page][log.id % PAGE] = log;
        counts[page]++;
        lock.unlock();
    }

    static ThreadLog of(int id) {
        lock.lock();
        ThreadLog[] page = pages[id / PAGE];
        ThreadLog log = page == null ? null : page[id % PAGE];
        lock.unlock();
        return log;
    }

    /** Nobody speaks of it any more. */
    static void remove(ThreadLog log) {
        lock.lock();
        int page = log.id / PAGE;
        pages[page][log.id % PAGE] = null;
        if (--counts[page] == 0) pages[page] = null;
        lock.unlock();
    }
}
