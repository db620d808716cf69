package trackside.runtime;

import jdk.internal.misc.Unsafe;

/** The logs of all threads that are alive, or of which others may still speak, by the thread. */
final class ThreadLogs {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long TID = U.objectFieldOffset(Thread.class, "tid");
    private static final int SLOTS = 1 << 12;

    private static final ThreadLog[] table = new ThreadLog[SLOTS];
    private static final Object lock = new Object();
    static int count;

    /** Logs that the merger does not know yet. */
    private static ThreadLog[] fresh = new ThreadLog[16];

    private static int freshCount;
    static volatile boolean hasFresh;

    private ThreadLogs() {}

    /** Whether there has been another thread than the first. */
    static boolean areSeveral() {
        return count > 1;
    }

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
            put(log);
            return isIgnored ? log : add(log);
        }
    }

    /** A log for work that a thread gives to others. */
    static ThreadLog ofTask(ThreadLog giver, Object task) {
        synchronized (lock) {
            return add(new ThreadLog(count++, giver, task));
        }
    }

    /** From now on, what the thread does is that work. */
    static void replace(ThreadLog thread, ThreadLog work) {
        synchronized (lock) {
            work.tid = thread.tid;
            work.base = thread.base;
            work.base.current = work;
            put(work);
        }
    }

    static void restore(ThreadLog work) {
        work.base.current = work.outer;
        takeOut(work);
    }

    private static void put(ThreadLog log) {
        int slot = (int) log.tid & SLOTS - 1;
        log.next = table[slot];
        U.storeFence();
        table[slot] = log;
    }

    private static ThreadLog add(ThreadLog log) {
        ThreadsById.put(log);
        if (freshCount == fresh.length) fresh = java.util.Arrays.copyOf(fresh, 2 * freshCount);
        fresh[freshCount++] = log;
        hasFresh = true;
        return log;
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
        takeOut(gone);
    }

    private static void takeOut(ThreadLog gone) {
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
