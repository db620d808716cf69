package trackside.runtime;

/**
 * Stamped locks, as the program uses them: volatile variables, as other locks with readers are. What is read optimistically counts
 * from the moment in which it is found to be valid; if it is not, it was never read.
 */
public final class Stamps {
    private static final long WRITE = 128;
    private static final long READERS = 127;

    private Stamps() {}

    public static void locked(long stamp, Object lock, int site) {
        if (stamp == 0 || lock == null) return;
        if (isWrite(stamp)) {
            Atomics.touch(lock, lock, true, site);
            Signals.signal(lock, Records.WAIT, site);
        } else if (isRead(stamp)) Atomics.touch(lock, lock, false, site);
    }

    public static void unlocking(Object lock, long stamp, int site) {
        if (lock == null) return;
        if (isWrite(stamp)) Atomics.touch(lock, lock, true, site);
        else if (isRead(stamp)) Signals.signal(lock, Records.NOTIFY, site);
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
        thread.speculation = new Speculation();
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
            Atomics.touch(thread, shadow, lock, 0, site, Records.VOLATILE_READ, Atomics.VALUE);
        }
        // Nobody waits for this shadow with another one locked.
        thread.busy = false;
        endSpeculation(thread, isValid);
        thread.busy = true;
        if (isValid) Signals.add(thread, shadow, lock, Records.NOTIFY, site);
        Atomics.done();
    }

    static void endSpeculation(ThreadLog thread, boolean counts) {
        Speculation reads = thread.speculation;
        thread.speculation = null;
        if (reads != null && counts) reads.tell();
    }

    private static boolean isWrite(long stamp) {
        return (stamp & WRITE) != 0;
    }

    private static boolean isRead(long stamp) {
        return (stamp & READERS) != 0;
    }
}
