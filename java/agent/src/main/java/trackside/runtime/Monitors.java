package trackside.runtime;

import static trackside.runtime.Records.*;
import static trackside.runtime.Shadow.*;

import java.util.concurrent.locks.AbstractOwnableSynchronizer;

/** What instrumented code calls about monitors and locks. Acquiring is told after it has happened, releasing before. */
public final class Monitors {
    private Monitors() {}

    public static void entered(Object monitor, int site) {
        if (monitor == null) return;
        ThreadLog thread = Probes.enter();
        if (thread != null) acquired(thread, monitor, 1, site);
    }

    public static void leaving(Object monitor, int site) {
        if (monitor == null) return;
        ThreadLog thread = Probes.enter();
        if (thread != null) releasing(thread, monitor, 1, site);
    }

    /** A synchronized method has begun. */
    public static void enteredMethod(Object monitor, int site) {
        ThreadLog thread = Probes.enter();
        if (thread == null) return;
        thread.pushMonitor(monitor);
        acquired(thread, monitor, 1, site);
    }

    public static void leavingMethod(int site) {
        ThreadLog thread = Probes.enter();
        if (thread == null) return;
        Object monitor = thread.popMonitor();
        if (monitor != null) releasing(thread, monitor, 1, site);
    }

    static void acquired(ThreadLog thread, Object monitor, int times, int site) {
        boolean isOfCall = isOfCall(monitor, site);
        // If it was left by an exception.
        if (thread.speculation() == Speculation.LOOK && !isOfCall) thread.setSpeculation(null);
        site = CollectionCalls.site(thread, site);
        thread.busy = true;
        try {
            if (thread.isFull()) thread.awaitRoom();
            Shadow shadow = Objects.ofMonitor(thread, monitor);
            shadow.lock();
            boolean isOuter = shadow.lockDepth == 0 || shadow.lockHolder != thread.id;
            shadow.lockDepth = isOuter ? times : shadow.lockDepth + times;
            shadow.lockHolder = thread.id;
            if (isOuter) {
                thread.locks.add(shadow, true);
                shadow.isLockOfCall = isOfCall;
                if (isOfCall) shadow.isLockWritten = false;
                else if (Accesses.isOwn(thread, shadow)) {
                    shadow.isLockWritten = false;
                    Accesses.rememberLock(thread, shadow, site);
                } else {
                    // Who comes second has not had it: what there is to hand over is of the owner.
                    shadow.lockDepth = 0;
                    if (shadow.owner == IGNORED) shadow.owner = NOBODY;
                    Accesses.share(thread, shadow, monitor);
                    Accesses.handLock(thread, shadow);
                    shadow.lockDepth = times;
                    boolean isIncoming = shadow.lastReleaser != thread.id;
                    if (isIncoming || Config.complete) thread.epoch++;
                    if (isIncoming) Known.learn(thread, shadow.lastReleaser, shadow.releasePosition, shadow.releaseTold);
                    shadow.isLockWritten = true;
                    thread.add(
                            first(isIncoming ? ACQUIRE | INCOMING : ACQUIRE, site, Accesses.lockId(shadow)),
                            second(shadow.key, shadow.version++));
                }
            }
            shadow.unlock();
        } finally {
            thread.busy = false;
        }
    }

    /**
     * Whether a collection locks itself for one call: what it keeps is watched, so that this tells nothing but that two threads used
     * the collection. Only those who ask what a thread knows have to be told.
     */
    private static boolean isOfCall(Object monitor, int site) {
        if (!Site.isOfJdk(site) || Config.complete || Config.everything) return false;
        return monitor instanceof StringBuffer || monitor.getClass().getName().startsWith("java.util.");
    }

    static int releasing(ThreadLog thread, Object monitor, int times, int site) {
        site = CollectionCalls.site(thread, site);
        thread.busy = true;
        try {
            if (thread.isFull()) thread.awaitRoom();
            Shadow shadow = Objects.ofMonitor(thread, monitor);
            shadow.lock();
            int released = 0;
            if (shadow.lockHolder == thread.id && shadow.lockDepth > 0) {
                released = Math.min(times, shadow.lockDepth);
                shadow.lockDepth -= released;
                if (shadow.lockDepth == 0) released(thread, shadow, site);
            }
            shadow.unlock();
            return released;
        } finally {
            thread.busy = false;
        }
    }

    private static void released(ThreadLog thread, Shadow shadow, int site) {
        shadow.lockHolder = NOBODY;
        thread.locks.remove(shadow);
        if (shadow.owner == SHARED) {
            shadow.lastReleaser = thread.id;
            shadow.releasePosition = 0;
            shadow.releaseTold = null;
            if (shadow.isLockWritten) {
                thread.add(first(RELEASE, site, Accesses.lockId(shadow)), second(shadow.key, shadow.version++));
                shadow.releasePosition = Known.tellPosition(thread);
                shadow.releaseTold = Known.tell(thread);
            }
            thread.gaveAway();
        } else if (!shadow.isLockOfCall) {
            Accesses.rememberLock(thread, shadow, site);
        }
    }

    /** Of work that is over: what it has not given back is given back by somebody else. */
    static void releaseAll(ThreadLog thread) {
        for (Shadow shadow = thread.locks.last(); shadow != null; shadow = thread.locks.last()) {
            shadow.lock();
            if (shadow.lockHolder == thread.id) {
                shadow.lockDepth = 0;
                released(thread, shadow, 0);
            } else thread.locks.remove(shadow);
            shadow.unlock();
        }
    }

    /** The thread is about to give the monitor up and wait; the next probe that it meets finds it with the monitor again. */
    public static void waiting(Object monitor, int site) {
        if (monitor == null) return;
        ThreadLog thread = Probes.enter();
        if (thread == null || !Thread.holdsLock(monitor)) return;
        giveUp(thread, monitor, site);
    }

    static void giveUp(ThreadLog thread, Object monitor, int site) {
        int depth = releasing(thread, monitor, Integer.MAX_VALUE, site);
        if (depth == 0) return;
        thread.split(site);
        thread.waitsFor = monitor;
        thread.waitDepth = depth;
        thread.waitSite = site;
        thread.setHeld(ThreadLog.WAITING);
    }

    /** Whether the thread has the monitor again; until then it is the JDK that meets probes, in the middle of waiting. */
    static boolean isBack(ThreadLog thread) {
        Object monitor = thread.waitsFor;
        return monitor instanceof AbstractOwnableSynchronizer ? Locks.isOwn(monitor) : Thread.holdsLock(monitor);
    }

    static void afterWait(ThreadLog thread) {
        Object monitor = thread.waitsFor;
        thread.waitsFor = null;
        acquired(thread, monitor, thread.waitDepth, thread.waitSite);
    }
}
