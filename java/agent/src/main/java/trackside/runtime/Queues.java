package trackside.runtime;

import static trackside.runtime.Records.*;

import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;

/**
 * Concurrent queues, as the program uses them. Whoever takes something out comes after those who put something in. What is looked
 * at, and may have changed when it is acted on, are variables: that something was added, which element is the first, and how many
 * there are. To add and to take out are updates: they commute with those of others. What finds a queue empty or full and says so by
 * its result was not done.
 */
public final class Queues {
    private static final int ADDED = 0;
    private static final int HEAD = 1;
    private static final int COUNT = 2;
    private static final String[] ASPECTS = {"elements added to ", "first element of ", "number of elements in "};
    private static final Accesses.Named ASPECT = (shadow, place) -> ASPECTS[place] + shadow.name;

    /**
     * Those that call nothing of the program while they are at work, or only with a lock of their own, so that who waits for what the program
     * does there would wait for that as well.
     */
    private static final Set<Class<?>> WATCHED = Set.of(
            ArrayBlockingQueue.class,
            ConcurrentLinkedDeque.class,
            ConcurrentLinkedQueue.class,
            DelayQueue.class,
            LinkedBlockingDeque.class,
            LinkedBlockingQueue.class,
            LinkedTransferQueue.class,
            PriorityBlockingQueue.class);

    private Queues() {}

    /** Before a method that returns at once and throws nothing; the queue is not used by others until its end is told. */
    public static void begin(Object queue) {
        if (queue == null || !WATCHED.contains(queue.getClass()) || ThreadLogs.current().atomic != null) return;
        ThreadLog thread = Atomics.enter();
        if (thread == null) return;
        Atomics.hold(thread, WeakTable.of(thread, queue, 3), COUNT);
        thread.testObject = queue;
    }

    public static void beginPut(Object queue, Object element, int site) {
        if (element == null) return;
        begin(queue);
        ThreadLog thread = ThreadLogs.current();
        if (isHeld(thread, queue)) Signals.add(thread, thread.atomic, queue, NOTIFY, site);
        else putting(queue, site);
    }

    public static void put(boolean isDone, Object queue, int site) {
        ThreadLog thread = ThreadLogs.current();
        if (!isHeld(thread, queue)) return;
        if (isDone) added(thread, queue, site);
        Atomics.done();
    }

    public static void taken(Object element, Object queue, int site) {
        ThreadLog thread = ThreadLogs.current();
        if (!isHeld(thread, queue)) {
            takenAfter(queue, site);
            return;
        }
        if (element != null) {
            Signals.add(thread, thread.atomic, queue, WAIT, site);
            removed(thread, queue, site, false);
        }
        Atomics.done();
    }

    public static void seenEmpty(boolean isEmpty, Object queue, int site) {
        ThreadLog thread = ThreadLogs.current();
        if (!isHeld(thread, queue)) return;
        touch(thread, queue, isEmpty ? ADDED : COUNT, VOLATILE_READ, site);
        Atomics.done();
    }

    public static void seen(Object element, Object queue, int site) {
        ThreadLog thread = ThreadLogs.current();
        if (!isHeld(thread, queue)) {
            takenAfter(queue, site);
            return;
        }
        if (element != null) Signals.add(thread, thread.atomic, queue, WAIT, site);
        touch(thread, queue, element == null ? ADDED : HEAD, VOLATILE_READ, site);
        Atomics.done();
    }

    /** How many there are is often only told to somebody after something was put in: then nothing depends on it. */
    public static void counted(Object queue, int site) {
        ThreadLog thread = ThreadLogs.current();
        if (!isHeld(thread, queue)) return;
        if (!Accesses.hasWritten(thread, thread.atomic, ADDED) && !Accesses.hasWritten(thread, thread.atomic, COUNT)) {
            touch(thread, queue, ADDED, VOLATILE_READ, site);
            touch(thread, queue, COUNT, VOLATILE_READ, site);
        }
        Atomics.done();
    }

    /** Of methods that may wait or throw. */
    public static void putting(Object queue, int site) {
        if (isConcurrent(queue)) Signals.signal(queue, NOTIFY, site);
    }

    public static void putAfter(Object queue, int site) {
        begin(queue);
        put(true, queue, site);
    }

    public static void takenAfter(Object queue, int site) {
        if (!isConcurrent(queue)) return;
        Signals.signal(queue, WAIT, site);
        begin(queue);
        ThreadLog thread = ThreadLogs.current();
        if (!isHeld(thread, queue)) return;
        removed(thread, queue, site, true);
        Atomics.done();
    }

    public static void takenAfter(Object element, Object queue, int site) {
        if (element != null) takenAfter(queue, site);
    }

    public static void takenAfter(boolean isTaken, Object queue, int site) {
        if (isTaken) takenAfter(queue, site);
    }

    private static void added(ThreadLog thread, Object queue, int site) {
        touch(thread, queue, ADDED, VOLATILE_UPDATE, site);
    }

    /** Who relies on there being something acts on the number; who is content with nothing, too, does not if it has looked. */
    private static void removed(ThreadLog thread, Object queue, int site, boolean relies) {
        touch(thread, queue, HEAD, VOLATILE_UPDATE, site);
        if (relies || !Accesses.hasRead(thread, thread.atomic, COUNT)) touch(thread, queue, COUNT, VOLATILE_UPDATE, site);
    }

    private static void touch(ThreadLog thread, Object queue, int place, int operation, int site) {
        if (thread.atomic.name == null) thread.atomic.name = Names.ofObject(queue);
        Atomics.touch(thread, thread.atomic, queue, place, site, operation, ASPECT);
    }

    private static boolean isHeld(ThreadLog thread, Object queue) {
        return thread.atomic != null && thread.nested == 0 && thread.testObject == queue;
    }

    /** What the program wrote itself is watched inside. */
    private static boolean isConcurrent(Object queue) {
        if (queue == null) return false;
        Class<?> type = queue.getClass();
        return type.getClassLoader() == null && type.getPackageName().equals("java.util.concurrent");
    }
}
