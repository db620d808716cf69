package trackside.runtime;

/** How far the merger is with a thread: the blocks that are open there, and which of them are written. */
final class Merged {
    /** The number of the thread in the trace; -1 until it has an event. */
    int traceId = -1;

    int[] labels = new int[8];
    int[] sites = new int[8];
    /** The number of the record with which each open block began. */
    int[] beginnings = new int[8];

    int depth;
    int written;

    /** Whether another thread has waited for its end: nothing may come after that. */
    boolean isJoined;

    /** The number of the last record with which something came in from another thread. */
    int lastIncoming = -1;

    /** Where, in the log of the thread in whose name the next record stands, that belongs. */
    ThreadLog handedFrom;

    int handedPosition;

    void begin(int label, int site, int record) {
        if (depth == labels.length) {
            labels = java.util.Arrays.copyOf(labels, 2 * depth);
            sites = java.util.Arrays.copyOf(sites, 2 * depth);
            beginnings = java.util.Arrays.copyOf(beginnings, 2 * depth);
        }
        labels[depth] = label;
        sites[depth] = site;
        beginnings[depth] = record;
        depth++;
    }
}
