package trackside.runtime;

import static trackside.runtime.Records.*;
import static trackside.runtime.Shadow.*;

import java.util.concurrent.CountedCompleter;

/** What one thread does for others to go on: what was done before a notify is known to whoever is notified after it. */
public final class Signals {
    private Signals() {}

    public static void notifying(Object object) {
        signal(object, NOTIFY, 0);
    }

    public static void notified(Object object) {
        signal(object, WAIT, 0);
    }

    public static void notified(boolean isSo, Object object) {
        if (isSo) notified(object);
    }

    /** A part of a computation in parts is done: whoever waits for the whole, or puts parts together, knows of it. */
    public static void completing(Object part) {
        notifying(rootOf(part));
    }

    public static void completed(Object part) {
        notified(rootOf(part));
    }

    private static Object rootOf(Object part) {
        return part instanceof CountedCompleter<?> completer ? completer.getRoot() : null;
    }

    /** The current thread has learnt that it was interrupted. */
    public static void interrupted() {
        notified(Thread.currentThread());
    }

    /** What the program wrote itself is watched inside. */
    static boolean isOfJdk(Object object) {
        return object != null && object.getClass().getClassLoader() == null;
    }

    /**
     * The result of a future is looked at. Not to find one orders nothing that a program can rely on; to find one means to come
     * after whoever left it. Gives the result back, for the code that reads it.
     */
    public static Object seen(Object future, Object result) {
        if (result != null) signal(future, WAIT, 0);
        return result;
    }

    public static void setting(Object future, Object result) {
        if (result != null) signal(future, NOTIFY, 0);
    }

    static void signal(Object object, int operation, int site) {
        if (object == null) return;
        ThreadLog thread = Probes.enter();
        if (thread == null) return;
        thread.busy = true;
        Shadow shadow = Objects.ofMonitor(thread, object);
        thread.busy = false;
        signal(thread, shadow, object, operation, site);
        // Its numbers are free for others as soon as it is gone.
        java.lang.ref.Reference.reachabilityFence(object);
    }

    static void signal(ThreadLog thread, Shadow shadow, Object object, int operation, int site) {
        thread.busy = true;
        try {
            if (thread.isFull()) thread.awaitRoom();
            shadow.lock();
            add(thread, shadow, object, operation, site);
            shadow.unlock();
        } finally {
            thread.busy = false;
        }
    }

    /** With the shadow locked. */
    static void add(ThreadLog thread, Shadow shadow, Object object, int operation, int site) {
        if (shadow.owner == IGNORED) shadow.owner = NOBODY;
        Accesses.share(thread, shadow, object);
        if (operation == NOTIFY) {
            shadow.lastNotifier = shadow.lastNotifier == NOBODY || shadow.lastNotifier == thread.id ? thread.id : SHARED;
            shadow.lastNotified = NOBODY;
        } else {
            // Nobody else has told anything, or nothing new.
            boolean isNews = shadow.lastNotifier != NOBODY && shadow.lastNotifier != thread.id;
            if ((!isNews || shadow.lastNotified == thread.id) && !Config.everything) {
                // It may be all that the thread does; without any event, its fork and its join would order nothing.
                thread.hasTouched = true;
                return;
            }
            shadow.lastNotified = thread.id;
        }
        if (operation == WAIT || Config.complete) thread.epoch++;
        thread.add(
                first(operation == WAIT ? WAIT | INCOMING : operation, site, Accesses.lockId(shadow)),
                second(shadow.key, shadow.version++));
        if (operation == NOTIFY) {
            shadow.teller = thread.id;
            shadow.tellPosition = Known.tellPosition(thread);
            shadow.notifyTold = Known.tell(thread);
        } else if (shadow.teller != NOBODY) Known.learn(thread, shadow.teller, shadow.tellPosition, shadow.notifyTold);
    }
}
