package trackside.runtime;

import static trackside.runtime.Records.*;

/**
 * Locks that may be had for reading or for writing, as two conditions: that it is given back by who wrote, which all wait for, and by
 * who read, which only those who write wait for.
 */
final class ReadWriteLocks {
    private ReadWriteLocks() {}

    /** To be called when it is had; `named` is what the program calls the lock. */
    static void locked(Object lock, Object named, boolean isForWriting, int site) {
        ThreadLog thread = Probes.enter();
        if (thread == null) return;
        Shadow writers = writers(thread, lock, named);
        Signals.signal(thread, writers, lock, WAIT, site);
        if (isForWriting) Signals.signal(thread, readers(writers), lock, WAIT, site);
        thread.locks.add(writers, isForWriting);
    }

    /** And when it is about to be given back. */
    static void unlocking(Object lock, Object named, boolean isForWriting, int site) {
        ThreadLog thread = Probes.enter();
        if (thread == null) return;
        Shadow writers = writers(thread, lock, named);
        thread.locks.remove(writers);
        Signals.signal(thread, isForWriting ? writers : readers(writers), lock, NOTIFY, site);
    }

    private static Shadow writers(ThreadLog thread, Object lock, Object named) {
        thread.busy = true;
        try {
            Shadow shadow = WeakTable.of(thread, lock, 0);
            if (shadow.name == null) shadow.name = nameOf(named);
            return shadow;
        } finally {
            thread.busy = false;
        }
    }

    private static String nameOf(Object lock) {
        return Names.ofObject(lock).replaceFirst("^(Read|Write)Lock", "ReadWriteLock");
    }

    private static Shadow readers(Shadow writers) {
        if (writers.readers == null) {
            writers.lock();
            readersOfLocked(writers);
            writers.unlock();
        }
        return writers.readers;
    }

    /** With the shadow locked. */
    static Shadow readersOfLocked(Shadow writers) {
        if (writers.readers == null) {
            Shadow fresh = new Shadow(0);
            fresh.name = writers.name + " for reading";
            writers.readers = fresh;
        }
        return writers.readers;
    }
}
