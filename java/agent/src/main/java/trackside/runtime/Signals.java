package trackside.runtime;

import static trackside.runtime.Records.*;
import static trackside.runtime.Shadow.*;

import java.util.concurrent.CountedCompleter;
import java.util.concurrent.Future;
import jdk.internal.misc.Unsafe;

/** What one thread does for others to go on: what was done before a notify is known to whoever is notified after it. */
public final class Signals {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static long sourceOffset = -1;
    private static long secondOffset = -1;

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

    /** Something is put into a queue by the program itself. */
    public static void putting(Object queue, int site) {
        if (isOfJdk(queue)) signal(queue, NOTIFY, site);
    }

    public static void taken(Object queue, int site) {
        if (isOfJdk(queue)) signal(queue, WAIT, site);
    }

    /** What the program wrote itself is watched inside. */
    static boolean isOfJdk(Object object) {
        return object != null && object.getClass().getClassLoader() == null;
    }

    public static void notifiedIfDone(Object future) {
        if (future instanceof Future<?> known && known.isDone()) notified(future);
    }

    /** A stage of a CompletableFuture looks whether those before it are done. */
    public static void firing(Object stage) {
        ThreadLog thread = Probes.enter();
        if (thread == null) return;
        Object source;
        Object second;
        thread.busy = true;
        try {
            if (sourceOffset < 0) findOffsets(stage.getClass().getSuperclass());
            source = U.getReference(stage, sourceOffset);
            second = isOfTwo(stage) ? U.getReference(stage, secondOffset) : null;
        } catch (Throwable unknown) {
            Notes.once("stages", "Not watched: how stages of CompletableFuture wait for each other, as this JDK has other ones.");
            return;
        } finally {
            thread.busy = false;
        }
        notifiedIfDone(source);
        notifiedIfDone(second);
    }

    private static boolean isOfTwo(Object stage) {
        return stage.getClass().getSimpleName().startsWith("Bi");
    }

    private static void findOffsets(Class<?> superclass) throws ReflectiveOperationException {
        Class<?> outer = java.util.concurrent.CompletableFuture.class;
        String prefix = outer.getName() + "$";
        secondOffset = U.objectFieldOffset(Class.forName(prefix + "BiCompletion"), "snd");
        sourceOffset = U.objectFieldOffset(Class.forName(prefix + "UniCompletion"), "src");
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
            if (shadow.owner == IGNORED) shadow.owner = NOBODY;
            Accesses.share(thread, shadow, object);
            if (operation == WAIT || Config.complete) thread.epoch++;
            thread.add(
                    first(operation == WAIT ? WAIT | INCOMING : operation, site, Accesses.lockId(shadow)),
                    second(shadow.key, shadow.version++));
            shadow.unlock();
        } finally {
            thread.busy = false;
        }
    }
}
