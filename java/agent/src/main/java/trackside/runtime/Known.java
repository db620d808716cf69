package trackside.runtime;

/**
 * Up to where in the logs of others a thread knows what those have done: by what it has read that they wrote, by locks that they gave
 * back, and by what they told it to go on for. All of that is in the trace, so that whatever they did before comes before what the thread
 * does next, written or not. Told is only what was done outside of blocks that are still open: what is done to data in a block is what is
 * asked about.
 */
final class Known {
    static final long[] NOTHING = {};

    /** Of so many threads at a time, those that were started last where there are more: in a place by their number, a power of two. */
    private static final int MOST = 64;

    private static final int LEAST = 4;

    private Known() {}

    /** How many records of another thread's log come before what the thread does now; 0 if it is not known. */
    static int of(ThreadLog thread, int other) {
        long[] known = thread.known;
        if (known.length == 0) return 0;
        long entry = known[other & known.length - 1];
        return idOf(entry) == other ? (int) entry : 0;
    }

    private static int idOf(long entry) {
        return (int) (entry >>> 32) - 1;
    }

    /** What whoever learns of the last record of the thread knows of others; it is not changed any more. */
    static long[] tell(ThreadLog thread) {
        thread.isKnownTold = true;
        return thread.known;
    }

    /** How much of the thread's own log that one knows: up to the block that is open; 0 if the thread does everything for one. */
    static int tellPosition(ThreadLog thread) {
        if (thread.openBlocks > 0) return thread.giver == null ? thread.transactionBegin + 1 : 0;
        return Tasks.isInBlock(thread) ? 0 : thread.position;
    }

    /** What was told comes before what the thread does next. */
    static void learn(ThreadLog thread, int other, int position, long[] told) {
        if (position > 0) learn(thread, other, position);
        if (told == null || told == thread.known) return;
        for (long entry : told) if (entry != 0) learn(thread, idOf(entry), (int) entry);
    }

    private static void learn(ThreadLog thread, int other, int position) {
        long[] known = thread.known;
        int size = known.length;
        long before = size == 0 ? 0 : known[other & size - 1];
        boolean isFar = other >= size && size < MOST;
        boolean isOld = idOf(before) > other || idOf(before) == other && (int) before >= position;
        if (other == thread.id || !isFar && isOld) return;
        if (isFar || thread.isKnownTold) {
            // As long as there are fewer places, all numbers are below that of the places: they stay where they are.
            while (size <= other && size < MOST) size = Math.max(LEAST, 2 * size);
            thread.known = known = java.util.Arrays.copyOf(known, size);
            thread.isKnownTold = false;
        }
        known[other & size - 1] = other + 1L << 32 | position;
    }
}
