package trackside.runtime;

import jdk.internal.misc.Unsafe;

/** The logs of all threads that are alive, or of which others may still speak, by the thread. */
final class ThreadLogs {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long TID = U.objectFieldOffset(Thread.class, "tid");
    private static final int SLOTS = 1 << 12;

    private static final ThreadLog[] table = new ThreadLog[SLOTS];
    private static final Object lock = new Object();
    private static int count;

    /** Logs that the merger does not know yet. */
    private static ThreadLog[] fresh = new ThreadLog[16];

    private static int freshCount;
    static volatile boolean hasFresh;

    private ThreadLogs() {}

    static ThreadLog current() {
        Thread thread = Thread.currentThread();
        long tid = U.getLong(thread, TID);
        ThreadLog log = table[(int) tid & (SLOTS - 1)];
        while (log != null) {
            if (log.tid == tid) return log;
            log = log.next;
        }
        return of(thread, false);
    }

    /** The log of a thread; a new one if it has none. */
    static ThreadLog of(Thread thread, boolean isIgnored) {
        long tid = U.getLong(thread, TID);
        int slot = (int) tid & (SLOTS - 1);
        synchronized (lock) {
            for (ThreadLog log = table[slot]; log != null; log = log.next) if (log.tid == tid) return log;
            ThreadLog log = new ThreadLog(isIgnored ? -1 : count++, thread, tid);
            log.busy = isIgnored;
            log.next = table[slot];
            U.storeFence();
            table[slot] = log;
            if (isIgnored) return log;
            ThreadsById.put(log);
            if (freshCount == fresh.length) fresh = java.util.Arrays.copyOf(fresh, 2 * freshCount);
            fresh[freshCount++] = log;
            hasFresh = true;
            return log;
        }
    }

    /** The log of a thread; null if it has none. */
    static ThreadLog find(Thread thread) {
        long tid = U.getLong(thread, TID);
        for (ThreadLog log = table[(int) tid & SLOTS - 1]; log != null; log = log.next) if (log.tid == tid) return log;
        return null;
    }

    /** Of a thread that is over, and of which nobody speaks any more. */
    static void remove(ThreadLog gone) {
        ThreadsById.remove(gone);
        int slot = (int) gone.tid & (SLOTS - 1);
        synchronized (lock) {
            ThreadLog before = null;
            for (ThreadLog log = table[slot]; log != null; log = log.next) {
                if (log == gone) {
                    // Who stands at the one that is taken out still finds the way from there.
                    if (before == null) table[slot] = log.next;
                    else before.next = log.next;
                    return;
                }
                before = log;
            }
        }
    }

    static ThreadLog[] takeFresh() {
        synchronized (lock) {
            ThreadLog[] taken = java.util.Arrays.copyOf(fresh, freshCount);
            java.util.Arrays.fill(fresh, 0, freshCount, null);
            freshCount = 0;
            hasFresh = false;
            return taken;
        }
    }
}
