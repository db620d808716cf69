package trackside.runtime;

import static trackside.runtime.Records.*;

/** Atomic variables of java.util.concurrent.atomic, and what is like them. */
public final class Atomics {
    private static final Accesses.Named VALUE =
            (shadow, place) -> shadow.isIndexed ? shadow.name + "[" + place + "]" : shadow.name;

    private Atomics() {}

    public static void reading(Object variable, int index, int site) {
        begin(variable, index, site, VOLATILE_READ);
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
        Object variable = thread.testObject;
        thread.testObject = null;
        if (variable == null || !(thread.held instanceof Shadow shadow)) return;
        touch(thread, shadow, variable, thread.testPlace, thread.testSite, isWritten ? VOLATILE_CHANGE : VOLATILE_READ);
    }

    private static void begin(Object variable, int index, int site, int operation) {
        ThreadLog thread = locked(variable, index);
        if (thread == null) return;
        touch(thread, (Shadow) thread.held, variable, Math.max(index, 0), site, operation);
    }

    private static ThreadLog locked(Object variable, int index) {
        if (!Signals.isOfJdk(variable)) return null;
        ThreadLog thread = Probes.enter();
        if (thread == null) return null;
        Shadow shadow = WeakTable.of(thread, variable, 1);
        shadow.lock();
        shadow.isIndexed = index >= 0;
        thread.held = shadow;
        if (2 * Math.max(index, 0) >= shadow.last.length) shadow.place(Math.max(2 * index, 0));
        return thread;
    }

    private static void touch(
            ThreadLog thread, Shadow shadow, Object variable, int place, int site, int operation) {
        boolean isWrite = operation != VOLATILE_READ;
        if (Accesses.isOwn(thread, shadow)) {
            Accesses.remember(thread, shadow, place, isWrite, site);
            return;
        }
        thread.busy = true;
        try {
            if (thread.isFull()) {
                shadow.unlock();
                thread.awaitRoom();
                shadow.lock();
            }
            Accesses.share(thread, shadow, variable);
            // To change it is to look at it, which matters to those who ask what a thread knows.
            if (operation == VOLATILE_READ || Config.complete && operation == VOLATILE_CHANGE)
                Accesses.read(thread, shadow, place, site, VOLATILE_READ, VALUE);
            if (operation != VOLATILE_READ) {
                boolean commutes = operation == VOLATILE_UPDATE && !Accesses.hasRead(thread, shadow, place);
                Accesses.write(thread, shadow, place, site, commutes ? VOLATILE_UPDATE : VOLATILE_WRITE, VALUE);
            }
        } finally {
            thread.busy = false;
        }
    }

    /** A lock with readers is had, or given back. */
    static void touch(Object variable, Object named, boolean isWrite, int site) {
        ThreadLog thread = locked(variable, -1);
        if (thread == null) return;
        Shadow shadow = (Shadow) thread.held;
        if (shadow.name == null) {
            thread.busy = true;
            shadow.name = Names.ofObject(named).replace("ReadLock", "ReadWriteLock").replace("WriteLock", "ReadWriteLock");
            shadow.name = shadow.name.replace("ReadReadWriteLock", "ReadWriteLock");
            thread.busy = false;
        }
        touch(thread, shadow, variable, 0, site, isWrite ? VOLATILE_WRITE : VOLATILE_READ);
        Probes.done();
    }
}
