package trackside.runtime;

/**
 * Reads of what several threads read and nobody writes. A thread that has read a variable since the last write knows of that write, so
 * reading it once more matters only to whoever writes it next. Until then it is remembered where each thread's last read was, as it is of
 * an owner, and the writer hands these over.
 */
final class Rereads {
    /** After so many reads of an object that tell a thread nothing new, further ones are remembered and not written. */
    static final int FIRST = 16;

    /** Of threads with larger numbers it is not known. */
    private static final int MOST_READERS = 256;

    /** By number of the thread; these also keep its log, as long as something of it may be handed over. */
    private Owner[] readers = new Owner[4];

    /** By number of the thread and variable: position and site; 0 for none. */
    private long[][] where = new long[4][];

    /** With the shadow locked; false if it cannot be remembered. */
    boolean remember(ThreadLog thread, int variable, int site) {
        int id = thread.id;
        if (id >= MOST_READERS) return false;
        if (id >= where.length) {
            int size = Math.min(Math.max(id + 1, 2 * where.length), MOST_READERS);
            readers = java.util.Arrays.copyOf(readers, size);
            where = java.util.Arrays.copyOf(where, size);
        }
        long[] row = where[id];
        if (row == null) row = where[id] = new long[variable + 1];
        else if (variable >= row.length) row = where[id] = java.util.Arrays.copyOf(row, Math.max(variable + 1, 2 * row.length));
        readers[id] = thread.owner;
        thread.hasTouched = true;
        row[variable] = thread.stamp | site;
        return true;
    }

    int bound() {
        return where.length;
    }

    Owner reader(int id) {
        return readers[id];
    }

    /** Where the thread has read the variable, which from now on is not known here any more; 0 if it has not. */
    long take(int id, int variable) {
        long[] row = where[id];
        if (row == null || variable >= row.length) return 0;
        long found = row[variable];
        row[variable] = 0;
        return found;
    }

    void forget(int id, int variable) {
        if (id < where.length) take(id, variable);
    }
}
