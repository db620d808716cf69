package trackside.runtime;

/**
 * Stamped locks, as the program uses them: as other locks with readers. What is read optimistically counts
 * from the moment in which it is found to be valid; if it is not, it was never read.
 */
public final class Stamps {
    private static final long WRITE = 128;
    private static final long READERS = 127;

    private Stamps() {}

    public static void locked(long stamp, Object lock, int site) {
        if (stamp == 0 || lock == null) return;
        if (isWrite(stamp) || isRead(stamp)) ReadWriteLocks.locked(lock, lock, isWrite(stamp), site);
    }

    public static void unlocking(Object lock, long stamp, int site) {
        if (lock == null) return;
        if (isWrite(stamp) || isRead(stamp)) ReadWriteLocks.unlocking(lock, lock, isWrite(stamp), site);
    }

    /** What was held and is held no longer, or less so, is given up before others can have it. */
    public static void converting(Object lock, long stamp, int site) {
        unlocking(lock, stamp, site);
    }

    public static void converted(long stamp, Object lock, int site) {
        locked(stamp, lock, site);
    }

    /** Even without a stamp: whoever asks for one later finds that nothing is valid. */
    public static void looking() {
        ThreadLog thread = Probes.enter();
        if (thread == null) return;
        thread.setSpeculation(new Speculation());
    }

    /**
     * From here to {@link #validated}, nobody who comes to write gets on: its first record needs the same shadow. So what was
     * read stands before what is written next.
     */
    public static void validating(Object lock, int site) {
        Atomics.testing(lock, -1, site);
    }

    public static void validated(boolean isValid, Object lock, int site) {
        ThreadLog thread = ThreadLogs.current();
        Shadow shadow = thread.atomic;
        if (shadow == null || thread.nested > 0) {
            Atomics.done();
            return;
        }
        if (isValid) {
            if (shadow.name == null) shadow.name = Names.ofObject(lock);
            Signals.add(thread, shadow, lock, Records.WAIT, site);
        }
        // Nobody waits for this shadow with another one locked.
        thread.busy = false;
        endSpeculation(thread, isValid);
        if (isValid) Signals.signal(thread, ReadWriteLocks.readersOfLocked(shadow), lock, Records.NOTIFY, site);
        thread.busy = true;
        Atomics.done();
    }

    static void endSpeculation(ThreadLog thread, boolean counts) {
        Speculation reads = thread.speculation();
        thread.setSpeculation(null);
        if (reads != null && counts) reads.tell();
    }

    private static boolean isWrite(long stamp) {
        return (stamp & WRITE) != 0;
    }

    private static boolean isRead(long stamp) {
        return (stamp & READERS) != 0;
    }
}
