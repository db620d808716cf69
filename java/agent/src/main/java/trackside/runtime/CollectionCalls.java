package trackside.runtime;

/**
 * Where the program calls a collection of the JDK: what that does inside is told as done there. In one number: the place, what the
 * collection is doing, and whether that is told as a whole, so that what happens inside is not.
 */
public final class CollectionCalls {
    private static final int PLACE = 0xffffff;
    private static final int COVERED = 1 << 31;
    private static final int OPERATION_SHIFT = 24;
    private static final int OPERATION = 15 << OPERATION_SHIFT;

    private CollectionCalls() {}

    /** Gives what is to be restored when the call is over: the program may be called back, and call others. */
    public static int calling(int site) {
        ThreadLog thread = Probes.enter();
        if (thread == null) return 0;
        int before = thread.call;
        // What was left by an exception is over.
        if (before == 0) thread.collectionCount = 0;
        thread.call = site;
        return before;
    }

    public static void called(int before) {
        ThreadLog thread = Probes.enter();
        if (thread != null) thread.call = before;
    }

    /** Where the program is, for what happened at a place of the JDK. */
    static int site(ThreadLog thread, int site) {
        return Site.isOfJdk(site) && place(thread) != 0 ? place(thread) : site;
    }

    static int place(ThreadLog thread) {
        return thread.call & PLACE;
    }

    static boolean isCovered(ThreadLog thread, int site) {
        return thread.call < 0 && Site.isOfJdk(site);
    }

    static boolean isDoing(ThreadLog thread) {
        return (thread.call & OPERATION) != 0;
    }

    /** Whether it is this collection, and not another that it uses on the way. */
    static boolean isDoing(ThreadLog thread, Object collection, int operation) {
        if ((thread.call & OPERATION) >> OPERATION_SHIFT != operation) return false;
        int last = thread.collectionCount - 1;
        return last >= 0 && thread.collections[last] == collection;
    }

    static void begin(ThreadLog thread, Object collection, int operation, boolean isCovered) {
        if (thread.collectionCount == thread.collections.length) thread.collectionCount = 0;
        thread.collections[thread.collectionCount++] = collection;
        thread.call |= operation << OPERATION_SHIFT | (isCovered ? COVERED : 0);
    }

    static void end(ThreadLog thread) {
        thread.call &= PLACE;
        thread.collections[--thread.collectionCount] = null;
    }
}
