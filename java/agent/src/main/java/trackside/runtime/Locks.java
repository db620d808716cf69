package trackside.runtime;

import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import jdk.internal.misc.Unsafe;

/**
 * Locks of java.util.concurrent, as the program uses them. A lock and its conditions are known by what they have in common. Locks
 * with readers are told of by {@link ReadWriteLocks}.
 */
public final class Locks {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long LOCK_SYNC = U.objectFieldOffset(ReentrantLock.class, "sync");
    private static final long READ_SYNC = U.objectFieldOffset(ReentrantReadWriteLock.ReadLock.class, "sync");
    private static final long WRITE_SYNC = U.objectFieldOffset(ReentrantReadWriteLock.WriteLock.class, "sync");
    private static final long OWNER =
            U.objectFieldOffset(AbstractOwnableSynchronizer.class, "exclusiveOwnerThread");
    private static final long CONDITION_SYNC =
            U.objectFieldOffset(AbstractQueuedSynchronizer.ConditionObject.class, "this$0");

    private Locks() {}

    public static void tried(boolean isLocked, Object lock, int site) {
        if (isLocked) locked(lock, site);
    }

    public static void locked(Object lock, int site) {
        if (lock instanceof ReentrantLock) {
            ThreadLog thread = Probes.enter();
            if (thread != null) Monitors.acquired(thread, named(thread, lock, LOCK_SYNC), 1, site);
        } else shared(lock, true, site);
    }

    public static void unlocking(Object lock, int site) {
        if (lock instanceof ReentrantLock reentrant) {
            if (!reentrant.isHeldByCurrentThread()) return;
            ThreadLog thread = Probes.enter();
            if (thread != null) Monitors.releasing(thread, named(thread, lock, LOCK_SYNC), 1, site);
        } else shared(lock, false, site);
    }

    /** The lock is about to be given up by a wait for a condition: a later probe of the thread finds it with the lock. */
    public static void awaiting(Object condition) {
        ThreadLog thread = Probes.enter();
        if (thread != null) Monitors.giveUp(thread, U.getReference(condition, CONDITION_SYNC), 0);
    }

    static boolean isOwn(Object sync) {
        return U.getReference(sync, OWNER) == Thread.currentThread();
    }

    private static void shared(Object lock, boolean isLocked, int site) {
        boolean isForWriting = lock instanceof ReentrantReadWriteLock.WriteLock;
        if (!isForWriting && !(lock instanceof ReentrantReadWriteLock.ReadLock)) return;
        Object sync = U.getReference(lock, isForWriting ? WRITE_SYNC : READ_SYNC);
        if (isLocked) ReadWriteLocks.locked(sync, lock, isForWriting, site);
        else ReadWriteLocks.unlocking(sync, lock, isForWriting, site);
    }

    /** What the lock and its conditions share, called as the lock is. */
    private static Object named(ThreadLog thread, Object lock, long offset) {
        Object sync = U.getReference(lock, offset);
        thread.busy = true;
        Shadow shadow = WeakTable.of(thread, sync, 0);
        if (shadow.name == null) shadow.name = Names.ofObject(lock);
        thread.busy = false;
        return sync;
    }
}
