package trackside.runtime;

import static trackside.runtime.Records.*;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Atomic variables of java.util.concurrent.atomic, and what is like them. */
public final class Atomics {
    static final Accesses.Named VALUE =
            (shadow, place) -> shadow.isIndexed ? shadow.name + "[" + place + "]" : shadow.name;

    private Atomics() {}

    public static void reading(Object variable, int index, int site) {
        begin(variable, index, site, VOLATILE_READ);
    }

    /** What is read is compared again when it is swapped: it is the swap that counts. */
    public static void looking(Object variable, int index, int site) {
        if (Config.complete || Config.everything) reading(variable, index, site);
    }

    public static void writing(Object variable, int index, int site) {
        begin(variable, index, site, VOLATILE_WRITE);
    }

    /** Read and written at once. */
    public static void changing(Object variable, int index, int site) {
        begin(variable, index, site, VOLATILE_CHANGE);
    }

    public static void updating(Object variable, int index, int site) {
        begin(variable, index, site, VOLATILE_UPDATE);
    }

    /** Whether it is a read or a write is known after it: {@link #tested} says so. */
    public static void testing(Object variable, int index, int site) {
        ThreadLog thread = locked(variable, index);
        if (thread == null) return;
        thread.testPlace = Math.max(index, 0);
        thread.testSite = site;
        thread.testObject = variable;
    }

    public static void tested(boolean isWritten) {
        ThreadLog thread = ThreadLogs.current();
        if (thread.nested > 0) return;
        Object variable = thread.testObject;
        thread.testObject = null;
        if (variable == null || thread.atomic == null) return;
        // Not to have come through is not to have looked, but for those who ask what a thread knows.
        if (!isWritten && !Config.complete && !Config.everything) return;
        int operation = isWritten ? VOLATILE_CHANGE : VOLATILE_READ;
        touch(thread, thread.atomic, variable, thread.testPlace, thread.testSite, operation, VALUE);
    }

    /** Of an attempt that is going to be repeated: not to have come through is not to have looked. */
    static boolean swapped(boolean isWritten) {
        if (isWritten) tested(true);
        done();
        return isWritten;
    }

    private static void begin(Object variable, int index, int site, int operation) {
        ThreadLog thread = locked(variable, index);
        if (thread != null) touch(thread, thread.atomic, variable, Math.max(index, 0), site, operation, VALUE);
    }

    private static ThreadLog locked(Object variable, int index) {
        if (variable == null || index >= 0 && index >= lengthOf(variable)) return null;
        ThreadLog thread = enter();
        if (thread == null) return null;
        Shadow shadow = WeakTable.of(thread, variable, 1);
        hold(thread, shadow, Math.max(index, 0));
        shadow.isIndexed = index >= 0;
        return thread;
    }

    private static int lengthOf(Object array) {
        if (array instanceof AtomicIntegerArray ints) return ints.length();
        if (array instanceof AtomicLongArray longs) return longs.length();
        return array instanceof AtomicReferenceArray<?> references ? references.length() : 0;
    }

    /** As {@link Probes#enter}. What the JDK does on the way to the access, linking handles for one, is not the program's. */
    static ThreadLog enter() {
        if (Probes.isOff) return null;
        ThreadLog thread = ThreadLogs.current();
        if (thread.atomic != null) {
            thread.nested++;
            return null;
        }
        thread = Probes.enter();
        // Before anything is locked: between the access and its record there is no time to wait.
        if (thread != null && thread.isFull()) thread.awaitRoom();
        return thread;
    }

    /** From here to {@link #done} the access takes place. */
    static void hold(ThreadLog thread, Shadow shadow, int place) {
        thread.busy = true;
        thread.atomic = shadow;
        shadow.lock();
        if (2 * place >= shadow.last.length) shadow.place(2 * place);
    }

    public static void done() {
        ThreadLog thread = ThreadLogs.current();
        Shadow shadow = thread.atomic;
        if (shadow == null) return;
        if (thread.nested > 0) {
            thread.nested--;
            return;
        }
        thread.atomic = null;
        thread.testObject = null;
        shadow.unlock();
        thread.busy = false;
    }

    /** With the shadow locked. `object` is null for a class. */
    static void touch(
            ThreadLog thread, Shadow shadow, Object object, int place, int site, int operation, Accesses.Named names) {
        if (Accesses.isOwn(thread, shadow) && !(operation == VOLATILE_UPDATE && Formers.isAccessed(shadow, place))) {
            if (operation == VOLATILE_UPDATE) Accesses.rememberUpdate(thread, shadow, place, site);
            else Accesses.remember(thread, shadow, place, operation != VOLATILE_READ, site);
            return;
        }
        Accesses.share(thread, shadow, object);
        // To change it is to look at it, which matters to those who ask what a thread knows.
        if (operation == VOLATILE_READ || Config.complete && operation == VOLATILE_CHANGE)
            Accesses.read(thread, shadow, place, site, VOLATILE_READ, names);
        if (operation != VOLATILE_READ) {
            boolean commutes = operation == VOLATILE_UPDATE && !Accesses.hasRead(thread, shadow, place);
            Accesses.write(thread, shadow, place, site, commutes ? VOLATILE_UPDATE : VOLATILE_WRITE, names);
        }
    }
}
