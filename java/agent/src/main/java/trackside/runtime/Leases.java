package trackside.runtime;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * An owner's accesses, without a lock. A shadow that carries the number of its owner's lease is the owner's to use: it says that it is
 * in an access, looks at the number, and does the access. Who else wants the shadow gives the owner another number, makes sure that the
 * owner has seen it, waits for the access that it may be in, and then finds the shadow as it would find it with its lock. So the
 * owner pays two stores and a comparison, and the second thread a great deal, once for all that the owner had until then.
 *
 * In the same way, who has read a variable of something shared in its epoch may read it again, until somebody writes there.
 */
final class Leases {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long IN_ACCESS = U.objectFieldOffset(ThreadLog.class, "inAccess");
    private static final long LEASE = U.objectFieldOffset(ThreadLog.class, "lease");
    private static final long PATIENCE_NANOS = 5_000_000_000L;
    /** Of threads that never have one. */
    static final int NONE = -1;
    /** After a lease has ended, so many accesses are made with locks, and more until it is time: see {@link #endAll}. */
    private static final int WAIT = 1 << 10;

    /** A lease was worth it if it lasted so many times as long as it took to end it. */
    private static final int WORTH = 8;

    private static final int MOST_TIMES = 64;

    /** Who has a shadow that passed to it so often uses it as many times with a lock before it has a lease. */
    private static final int USES_A_PASS = 32;

    private static final int MOST_USES = 1 << 10;

    /** Until Java 18, to ask for the stack of one thread makes all of them stop. */
    private static final boolean STOPS_ALL = Runtime.version().feature() < 19;

    private static final long BEGINNING = System.nanoTime();
    /** One out of so many nanoseconds may be spent on readers. */
    private static final int SHARE = 20;

    private static volatile long spent;

    private static final SpinLock numbers = new SpinLock();
    private static int count;

    private Leases() {}

    /** A number that nobody had before. */
    static int next() {
        numbers.lock();
        int number = ++count;
        numbers.unlock();
        return number;
    }

    /** For an access of the owner, if that has a lease: remembers it, and is true. Then {@link #leave} has to follow the access. */
    static boolean enter(ThreadLog thread, Shadow shadow, int at, int site) {
        thread.inAccess = 1;
        // For compilers: who ends the lease makes the processor wait.
        U.storeFence();
        long[] last = shadow.last;
        if (shadow.lease != thread.lease || at >= last.length) return (at & 1) != 0 ? isCommon(thread, shadow, at >> 1) : refuse(thread);
        U.loadFence();
        thread.hasTouched = true;
        last[at] = thread.stamp | site;
        return true;
    }

    /** By itself: in each probe, it would make up most of what compilers have to look at. */
    @DontInline
    private static boolean isCommon(ThreadLog thread, Shadow shadow, int variable) {
        if (!shadow.isCommon(thread, variable)) return refuse(thread);
        U.loadFence();
        return true;
    }

    /** Also accesses before this one, if they still count as being made, are over. */
    private static boolean refuse(ThreadLog thread) {
        leave(thread);
        return false;
    }

    static void leave(ThreadLog thread) {
        U.putIntRelease(thread, IN_ACCESS, 0);
    }

    /** By the owner, with the shadow locked. */
    @DontInline
    static void take(ThreadLog thread, Shadow shadow) {
        if (thread.lease == NONE || Config.provokes != 0) return;
        // What passes from one to the other would have them stop for each other.
        if (shadow.uses < shadow.passes * USES_A_PASS && shadow.uses < MOST_USES || --thread.leaseWait >= 0) return;
        thread.leaseWait = 0;
        if (thread.leaseSince == 0) {
            long now = System.nanoTime();
            if (now - thread.leaseNotBefore < 0) {
                thread.leaseWait = WAIT;
                return;
            }
            thread.leaseSince = now;
        }
        shadow.lease = thread.lease;
    }

    /** By another than the owner, with the shadow locked: from here on, the owner locks it, too. */
    @DontInline
    static void end(ThreadLog thread, Shadow shadow) {
        if (shadow.lease == 0) return;
        ThreadLog owner = shadow.formerOwner.log;
        boolean wasBusy = thread.busy;
        thread.busy = true;
        // Another thread may be about to end it.
        owner.leaseLock.lock();
        if (shadow.lease == owner.lease) endAll(owner);
        owner.leaseLock.unlock();
        shadow.lease = 0;
        thread.busy = wasBusy;
    }

    /**
     * The owner goes on with locks for as long as it took to make it stop: whatever others do, that at most doubles what it costs to have
     * no leases. If leases turn out to be short, it goes on so for longer, and stops are few.
     */
    private static void endAll(ThreadLog owner) {
        U.putIntVolatile(owner, LEASE, next());
        owner.leaseWait = WAIT;
        Thread thread = owner.thread();
        if (thread == null || !thread.isAlive()) return;
        long started = System.nanoTime();
        stop(thread);
        awaitAccess(owner, thread);
        long now = System.nanoTime();
        long cost = now - started;
        boolean wasWorthIt = started - owner.leaseSince > WORTH * cost;
        owner.leaseTimes = wasWorthIt ? 1 : Math.min(2 * owner.leaseTimes, MOST_TIMES);
        owner.leaseNotBefore = now + owner.leaseTimes * cost;
        owner.leaseSince = 0;
    }

    /** Before a write, with the shadow locked: from here on, also reads of the thread's own epoch lock it. */
    static void endCommon(ThreadLog thread, Shadow shadow) {
        int[][] readers = shadow.endCommon();
        if (readers == null) return;
        U.fullFence();
        boolean wasBusy = thread.busy;
        thread.busy = true;
        long started = System.nanoTime();
        boolean areStopped = false;
        for (int id = 0; id < readers.length; id++) {
            ThreadLog reader = readers[id] == null || id == thread.id ? null : ThreadsById.of(id);
            Thread running = reader == null ? null : reader.thread();
            if (running == null || !running.isAlive()) continue;
            if (!areStopped) {
                stop(running);
                // Nothing stops for one that is over.
                areStopped = STOPS_ALL && running.isAlive();
            }
            awaitAccess(reader, running);
        }
        addSpent(started);
        thread.busy = wasBusy;
    }

    /** Whether what was spent on making readers stop is little. */
    static boolean isAffordable() {
        return Config.provokes == 0 && SHARE * spent <= System.nanoTime() - BEGINNING;
    }

    private static void addSpent(long started) {
        numbers.lock();
        spent += System.nanoTime() - started;
        numbers.unlock();
    }

    /** Waits until a thread is in no access that it began before it stopped. */
    private static void awaitAccess(ThreadLog owner, Thread thread) {
        long deadline = 0;
        for (int spins = 1; U.getIntAcquire(owner, IN_ACCESS) != 0 && thread.isAlive(); spins++) {
            if ((spins & 63) != 0) {
                Thread.onSpinWait();
                continue;
            }
            Thread.yield();
            long now = System.nanoTime();
            if (deadline == 0) deadline = now + PATIENCE_NANOS;
            if (now > deadline) {
                Notes.once("stolen", "An access was interrupted in the middle, so that its order is not sure.");
                return;
            }
        }
    }

    /**
     * Makes a thread come to a safe point: what it wrote before that is visible here, and what it reads after it is what was written
     * before. To ask for its stack does that.
     */
    private static void stop(Thread thread) {
        try {
            thread.getStackTrace();
        } catch (SecurityException refused) {
            Notes.once("stopped", "A security manager does not let threads be looked at, so that the order of accesses is not sure.");
        }
    }

    static void prepare(ThreadLog log, boolean isPossible) {
        log.lease = isPossible ? next() : NONE;
        log.leaseNotBefore = BEGINNING;
    }
}
