package trackside.runtime;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * What is known of one object, array or class: who has touched it, and of each of its variables who did so last. It is
 * locked while an access takes place, so that what is written down is the order in which accesses happened.
 */
final class Shadow {
    static final int NOBODY = -1;
    static final int SHARED = -2;
    /** Of the JDK's own, behind locks of its own. */
    static final int IGNORED = -3;

    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long LOCK = U.objectFieldOffset(Shadow.class, "lock");
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    /** Parts of the state of a variable, once the object is shared. */
    static final int WRITER = 0;

    static final int WRITE_EPOCH = 1;
    static final int READER = 2;
    static final int READ_EPOCH = 3;
    /** What else is to know: {@link #MANY}, {@link #UPDATED}, {@link #SEVERAL}, {@link #READ_WRITTEN}. */
    static final int FLAGS = 4;
    /** The number of the variable in the trace, plus 1; 0 if it has none yet. */
    static final int VARIABLE = 5;

    /** How many records the writer's log had with that of the write; 0 if it was handed over. */
    static final int WRITE_POSITION = 6;
    /** How much of it whoever reads the variable is told: see {@link Known}. */
    static final int TOLD_POSITION = 7;

    static final int PARTS = 8;

    /** Of more than one reader since the last write, only the last one is known. */
    static final int MANY = 1;
    /** The last write was an update, which commutes with those of others. */
    static final int UPDATED = 2;
    /** So were others before it, of other threads. */
    static final int SEVERAL = 4;
    /** A read since the last write is written. */
    static final int READ_WRITTEN = 8;

    private int lock;
    /** The only thread that has touched it; or one of the above. */
    int owner = NOBODY;
    /** That of its owner, if this one needs no lock: see {@link Leases}. 0 if there is none. */
    int lease;
    /** The owner, also once it is shared. */
    Owner formerOwner;

    /** Those that have had it before; null if nobody has. */
    Formers formers;

    /** How often it has passed to another one that knew of everything, and how often that one has used it since, with a lock. */
    int passes;

    int uses;
    /** How often in a row it has passed on after little use. */
    int shortPasses;

    /** By variable, of the owner: position and site of its last write, then of its last read; 0 for none. */
    long[] last;

    /** By variable, of the owner: its last write that was no update, if there were updates after it; null if there is none. */
    long[] lastWriteBeforeUpdates;

    int[] state;

    /** By variable: what its last writer knew of others; null if nobody knew anything. */
    private long[][] told;

    /** By thread and variable: the epoch in which the thread has last read it since the last write, if others have read it after that. */
    private int[][] displaced;

    /** The same, while those who have read a variable in their epoch may read it again without a lock: see {@link Leases}. */
    private int[][] common;

    /** Accesses that are not written until somebody has to know of them; null if there are none. */
    Unwritten unwritten;

    /** So many more are written before others are remembered. */
    int readsToRemember = Unwritten.FIRST;

    /** After so many reads that tell nothing new, that is so; then, after twice as many. */
    int readsToCommon = FIRST_READS_TO_COMMON;

    private int repeatedReads;
    private static final int FIRST_READS_TO_COMMON = 1 << 12;
    private static final int MOST_READS_TO_COMMON = 1 << 30;

    /** Of threads with larger numbers it is not known. */
    private static final int MOST_READERS = 256;

    /** Of a class: whether that was initialised before our eyes. */
    volatile boolean isInitialised;

    /** Whether its variables are called by numbers. */
    boolean isIndexed;

    /** Of a map: which key a place in the arrays above stands for. */
    ElementIndex elements;

    /** Of a piece of a large array: which one, and the number of its first element. */
    Pieces within;

    int base;

    /** Under which number the merger orders accesses, and which one is next. */
    int key = -1;

    int version;

    /** The monitor or lock: who has it, how often, and whether that was written down. */
    int lockHolder = NOBODY;

    int lockDepth;
    boolean isLockWritten;
    /** Taken by a collection of the JDK for one call of its own. */
    boolean isLockOfCall;
    int lastReleaser = NOBODY;
    /** What that one tells: see {@link Known}. */
    int releasePosition;

    long[] releaseTold;
    /** Position and site of the owner's last release, while nothing is written down. */
    long lastRelease;

    /** The only thread that has notified others here; or one of the above. */
    int lastNotifier = NOBODY;
    /** The last thread that has been notified, if nobody has notified others since. */
    int lastNotified = NOBODY;
    /** The last one of those that have notified others, and what it tells. */
    int teller = NOBODY;

    int tellPosition;
    long[] notifyTold;

    /** Of a lock with readers: what these tell. */
    volatile Shadow readers;

    /** Of a map: what is in it; null if nobody has asked yet. */
    volatile MapContent content;

    /** Of work that is given to others, and of what stands for it. */
    volatile Tasks.Task task;

    /** What it is called: `Account@1f`. */
    String name;

    /** The number of the lock, and of what else threads wait for here, in the trace; -1 if it has none yet. */
    int lockId = -1;

    Shadow(int variables) {
        last = new long[2 * variables];
    }

    void lock() {
        if (!U.compareAndSetInt(this, LOCK, 0, 1)) lockSlowly();
    }

    void unlock() {
        U.putIntRelease(this, LOCK, 0);
    }

    @DontInline
    private void lockSlowly() {
        long deadline = 0;
        for (int spins = 0; ; spins++) {
            if (U.compareAndSetInt(this, LOCK, 0, 1)) return;
            if (spins < 200) {
                Thread.onSpinWait();
                continue;
            }
            Thread.yield();
            if ((spins & 255) != 0) continue;
            long now = System.nanoTime();
            if (deadline == 0) deadline = now + PATIENCE_NANOS;
            // Whoever has it was thrown out between its two probes, and has met no other probe since.
            if (now > deadline) {
                Notes.once("stolen", "An access was interrupted in the middle, so that its order is not sure.");
                return;
            }
        }
    }

    /** The place of a variable, with room for it. */
    int place(int variable) {
        if (2 * variable >= last.length) grow(variable);
        return variable;
    }

    private void grow(int variable) {
        int size = Math.max(variable + 1, last.length);
        last = java.util.Arrays.copyOf(last, 2 * size);
        if (state != null) {
            int before = state.length / PARTS;
            state = java.util.Arrays.copyOf(state, PARTS * size);
            clear(before, size);
        }
    }

    void setWriteBeforeUpdates(int variable, long where) {
        long[] known = lastWriteBeforeUpdates;
        if (known == null) known = new long[variable + 1];
        else if (variable >= known.length) known = java.util.Arrays.copyOf(known, last.length / 2);
        known[variable] = where;
        lastWriteBeforeUpdates = known;
    }

    long takeWriteBeforeUpdates(int variable) {
        long[] known = lastWriteBeforeUpdates;
        if (known == null || variable >= known.length) return 0;
        long where = known[variable];
        known[variable] = 0;
        return where;
    }

    /** 0 if it has not read the variable since the last write, or nobody knows. */
    int readEpoch(int thread, int variable) {
        int[][] known = displaced;
        int[] row = known != null && thread < known.length ? known[thread] : null;
        return row != null && variable < row.length ? row[variable] : 0;
    }

    /** Another thread takes the place of the last one that has read the variable. */
    @DontInline
    void displaceReader(int thread, int variable, int epoch) {
        if (thread >= MOST_READERS) return;
        int[][] known = displaced;
        if (known == null) known = new int[thread + 1][];
        else if (thread >= known.length) known = java.util.Arrays.copyOf(known, thread + 1);
        displaced = known;
        if (common != null) common = known;
        int[] row = known[thread];
        int size = last.length / 2;
        if (row == null) known[thread] = row = new int[size];
        else if (variable >= row.length) known[thread] = row = java.util.Arrays.copyOf(row, size);
        row[variable] = epoch;
    }

    /** Whether the thread has read the variable in its epoch, and may read it without a lock. */
    boolean isCommon(ThreadLog thread, int variable) {
        int[][] known = common;
        if (known == null || thread.id >= known.length || thread.lease == Leases.NONE) return false;
        int[] row = known[thread.id];
        return row != null && variable < row.length && row[variable] == thread.epoch;
    }

    /** A thread has read a variable again, with a lock, and that told nothing new. */
    @DontInline
    void repeatedRead(ThreadLog thread, int variable) {
        if (common == null) {
            if (++repeatedReads < readsToCommon) return;
            repeatedReads = 0;
            if (!Leases.isAffordable()) return;
        }
        displaceReader(thread.id, variable, thread.epoch);
        common = displaced;
    }

    /** Those who may read here without a lock, by their numbers; null if nobody may. Nobody may any more. */
    int[][] endCommon() {
        int[][] known = common;
        if (known == null) return null;
        common = null;
        repeatedReads = 0;
        if (readsToCommon < MOST_READS_TO_COMMON) readsToCommon *= 2;
        return known;
    }

    /** When the thread has last read the variable since the last write; 0 if it has not. */
    int lastEpoch(ThreadLog thread, int variable) {
        int at = PARTS * variable;
        if (state[at + READER] == thread.id) return state[at + READ_EPOCH];
        return (state[at + FLAGS] & MANY) != 0 ? readEpoch(thread.id, variable) : 0;
    }

    /** The thread reads the variable. */
    void setReader(ThreadLog thread, int variable) {
        int at = PARTS * variable;
        int reader = state[at + READER];
        if (reader != thread.id && reader != NOBODY) {
            state[at + FLAGS] |= MANY;
            displaceReader(reader, variable, state[at + READ_EPOCH]);
        }
        state[at + READER] = thread.id;
        state[at + READ_EPOCH] = thread.epoch;
    }

    /** The thread writes the variable, without a record. */
    void setWriter(ThreadLog thread, int variable) {
        int at = PARTS * variable;
        forgetReaders(variable);
        state[at + WRITER] = thread.id;
        state[at + WRITE_EPOCH] = thread.epoch;
        state[at + READER] = NOBODY;
        state[at + FLAGS] = 0;
        state[at + WRITE_POSITION] = 0;
        state[at + TOLD_POSITION] = 0;
        if (told != null && variable < told.length) told[variable] = null;
    }

    /** The variable is written. */
    void forgetReaders(int variable) {
        if (displaced != null) for (int[] row : displaced) if (row != null && variable < row.length) row[variable] = 0;
    }

    /** The thread has written the variable, and that is its last record. */
    void tell(ThreadLog thread, int variable) {
        state[PARTS * variable + WRITE_POSITION] = thread.position;
        state[PARTS * variable + TOLD_POSITION] = Known.tellPosition(thread);
        if (told == null && thread.known == Known.NOTHING) return;
        int size = last.length / 2;
        if (told == null) told = new long[size][];
        else if (variable >= told.length) told = java.util.Arrays.copyOf(told, size);
        told[variable] = Known.tell(thread);
    }

    /** The thread has read what another one wrote. */
    void learn(ThreadLog thread, int variable) {
        int at = PARTS * variable;
        long[] others = told != null && variable < told.length ? told[variable] : null;
        Known.learn(thread, state[at + WRITER], state[at + TOLD_POSITION], others);
    }

    void beginSharing() {
        int size = last.length / 2;
        state = new int[PARTS * size];
        clear(0, size);
    }

    private void clear(int from, int to) {
        for (int i = from; i < to; i++) {
            state[PARTS * i + WRITER] = NOBODY;
            state[PARTS * i + READER] = NOBODY;
        }
    }
}
