package trackside.runtime;

/**
 * Accesses to something shared that are not written, because until somebody else comes they tell nobody anything: reads of a thread that has
 * read the variable since the last write, and what comes, by the trace, after all that it conflicts with ({@link Ordered}). Until then it is
 * remembered where each thread's last read was, and where the last write, as it is of an owner; whoever has to know hands them over.
 */
final class Unwritten {
    /** After so many reads of an object that tell a thread nothing new, further ones are remembered and not written. */
    static final int FIRST = 16;

    /** Of threads with larger numbers it is not known. */
    static final int MOST_THREADS = 256;

    /** By number of the thread; these also keep its log, as long as something of it may be handed over. */
    private Owner[] owners = new Owner[4];

    /** By number of the thread and variable: position and site; 0 for none. */
    private long[][] reads = new long[4][];

    /** By variable, of its last writer. */
    private long[] writes = {};

    /** With the shadow locked; false if it cannot be remembered. */
    boolean remember(ThreadLog thread, int variable, int site) {
        int id = thread.id;
        if (!know(thread)) return false;
        if (id >= reads.length) reads = java.util.Arrays.copyOf(reads, owners.length);
        long[] row = reads[id];
        if (row == null || variable >= row.length) row = reads[id] = withRoom(row, variable);
        thread.hasTouched = true;
        row[variable] = thread.stamp | site;
        return true;
    }

    /** Of a thread with a small number. */
    void rememberWrite(ThreadLog thread, int variable, int site) {
        know(thread);
        if (variable >= writes.length) writes = withRoom(writes, variable);
        thread.hasTouched = true;
        writes[variable] = thread.stamp | site;
    }

    private boolean know(ThreadLog thread) {
        int id = thread.id;
        if (id >= MOST_THREADS) return false;
        if (id >= owners.length)
            owners = java.util.Arrays.copyOf(owners, Math.min(Math.max(id + 1, 2 * owners.length), MOST_THREADS));
        owners[id] = thread.owner;
        return true;
    }

    private static long[] withRoom(long[] row, int variable) {
        if (row == null) return new long[variable + 1];
        return java.util.Arrays.copyOf(row, Math.max(variable + 1, 2 * row.length));
    }

    int bound() {
        return reads.length;
    }

    Owner owner(int id) {
        return owners[id];
    }

    /** Where the thread has last read the variable; 0 if it has not. */
    long read(int id, int variable) {
        long[] row = reads[id];
        return row == null || variable >= row.length ? 0 : row[variable];
    }

    /** Where the variable was last written; 0 if that is not remembered. */
    long write(int variable) {
        return variable < writes.length ? writes[variable] : 0;
    }

    /** The same, and from now on it is not known here any more. */
    long takeRead(int id, int variable) {
        long found = read(id, variable);
        if (found != 0) reads[id][variable] = 0;
        return found;
    }

    long takeWrite(int variable) {
        long found = write(variable);
        if (found != 0) writes[variable] = 0;
        return found;
    }

    void forgetRead(int id, int variable) {
        if (id < reads.length) takeRead(id, variable);
    }

    void forgetReads(int variable) {
        for (int id = 0; id < reads.length; id++) takeRead(id, variable);
    }
}
