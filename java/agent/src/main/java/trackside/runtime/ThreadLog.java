package trackside.runtime;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;

/**
 * What one thread of the program has done and the merger has not taken yet: a queue with one writer and one reader, and
 * what the probes need to know of the thread. Everything but the fields marked so belongs to the thread itself.
 */
final class ThreadLog {
    /** So many records may be waiting; then the thread waits. */
    private static final int MOST_WAITING = 1 << 16;

    private static final int SMALLEST_CHUNK = 64;
    private static final int LARGEST_CHUNK = 2048;

    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long FILLED = U.objectFieldOffset(Chunk.class, "filled");

    /** A piece of the queue: two longs a record. */
    static final class Chunk {
        final long[] words;
        /** How many of the words are written; by the thread, read by the merger. */
        volatile int filled;

        volatile Chunk next;

        Chunk(int records) {
            words = new long[2 * records];
        }
    }

    final int id;
    /** Of work, that of the thread which does it. */
    long tid;

    /** What the thread was called when it was first seen; the merger makes it unique. */
    final String name;

    /** As which shadows know it; null once it is over, so that these alone keep it. */
    Owner owner;

    /** Empty when no shadow knows it any more, and when nobody can wait for its end any more. */
    private final WeakReference<Owner> ownerReached;

    private final WeakReference<?> threadReached;

    /** The next one in the same slot of {@link ThreadLogs}. */
    ThreadLog next;

    /** While the runtime itself is at work: what it does is not the program's. */
    boolean busy;

    /** The shadow that is locked for the access that comes now; or {@link #WAITING}. */
    private Object held;

    /** Whether there is something to see to before the next access: what is above, or speculation. */
    boolean isHindered;

    /** As whom a thread acts: itself, or the work that it does. Of work, see the thread. */
    ThreadLog current = this;

    /** The thread that does the work; otherwise itself. */
    ThreadLog base = this;

    static final Object WAITING = new Object();
    /** The monitor that is given up while the thread waits, and how often it was entered. */
    Object waitsFor;

    int waitDepth;
    int waitSite;

    /** The shadow that is locked for an access inside of the JDK; and how many such accesses are inside of that. */
    Shadow atomic;

    int nested;

    /** Where the program has called a collection of the JDK, and what that is doing: see {@link CollectionCalls}. */
    int call;

    /** Those that are in the middle of something; the program may be called back from there. */
    Object[] collections = new Object[8];

    int collectionCount;

    HeldLocks locks = new HeldLocks();

    /** Reads that count only if they are found to be valid; null while there are none. */
    private Speculation speculation;

    /** What is compared and perhaps set. */
    Object testObject;

    Accesses.Named testNames;
    /** What is looked up in a map. */
    Object key;

    boolean isComputed;
    /** Whether the key was in the map before. */
    boolean wasThere;
    int testPlace;
    int testSite;

    /** Grows when a block begins and when another thread's doing becomes known to this one. */
    int epoch = 1;
    /** The epoch in which the outermost open block began. */
    int transaction = 1;
    /** The number of the record with which it did. */
    int transactionBegin;

    int openBlocks;

    /** By which {@link Provocation} decides. */
    int chance;

    /** When it has begun to give way in vain and has last done so, and how often: see {@link Spins}. */
    long firstYield;

    long lastYield;
    int yields;

    /** Whether it has touched data of its own since the last record. */
    boolean hasTouched;
    /** With `--provoke`: whether it has waited for those that are started together with it. */
    boolean hasCompany;

    /** How many records were written. */
    int position;

    /** The number of the next one, where {@link Shadow#last} has it. */
    long stamp = 1L << 32;

    /** See {@link Leases}: written by the thread, read by all; the rest by whoever has the lock. */
    int inAccess;

    int lease;
    int leaseWait;
    int leaseTimes = 1;
    /** When there may be one again. */
    long leaseNotBefore;
    /** When it was first used; 0 if it was not. */
    long leaseSince;

    final SpinLock leaseLock = new SpinLock();

    private Chunk last;
    private int lastFilled;

    /** Where the merger is; its own. */
    Chunk reading;

    int readingAt;
    /** How many records it has taken; written by the merger, read by all. */
    volatile int taken;

    /** The thread is over. */
    volatile boolean isOver;
    /** What has to be taken before anything of this thread: its fork. Null once that is done. */
    ThreadLog forkedBy;

    int forkPosition;

    /** Who has started it, how many records that one had written then, and who has started that one; -1 if it is not known. */
    int parent = -1;

    int parentPosition;
    int grandparent = -1;
    int grandparentPosition;

    /** How much of the logs of others comes before what it does now, by their numbers; and whether others hold the same: see {@link Known}. */
    long[] known = Known.NOTHING;

    boolean isKnownTold;

    /** Objects without a place for a shadow of their own, found lately. */
    WeakTable.Entry[] cache = WeakTable.NO_CACHE;

    /** The same, by the place in the program that used them. */
    WeakTable.Entry[] recent = WeakTable.NO_RECENT;

    /** Classes of which the thread knows that they are initialised. */
    java.util.Set<Object> knownClasses;

    /** Monitors of the synchronized methods that are being executed. */
    Object[] monitors = new Object[8];

    int monitorCount;

    /** Of a thread that does work for a block: as whom it goes on after that, and what it does; see {@link Tasks}. */
    ThreadLog outer;

    Object work;

    /** Who started this thread, or gave it work, in a block, and in which execution of it; 0 if the block is not its own. */
    ThreadLog giver;

    int giverTransaction;
    /** In how many calls it is that give work to others and wait for them. */
    int waits;

    /** Whether what it is giving to others is waited for by the method that does so. */
    boolean awaitsWhatItGives;

    /** And in how many by which a pool starts a thread. */
    int hires;

    /** Those of the blocks that are open. */
    private int[] openLabels = new int[4];

    /** What the merger knows of the thread. */
    final Merged merged = new Merged();

    ThreadLog(int id, Thread thread, long tid) {
        this.id = id;
        this.tid = tid;
        String name = thread.getName();
        this.name = name.isEmpty() ? "thread " + tid : name;
        owner = new Owner(this);
        ownerReached = Departures.watching(owner);
        threadReached = Departures.watching(thread);
        Leases.prepare(this, !SpinLock.isVirtual(thread));
        last = new Chunk(SMALLEST_CHUNK);
        reading = last;
    }

    /** Of work. */
    ThreadLog(int id, ThreadLog giver, Object task) {
        this.id = id;
        name = giver.name.startsWith("task of ") ? giver.name : "task of " + giver.name;
        owner = new Owner(this);
        ownerReached = Departures.watching(owner);
        threadReached = Departures.watching(task);
        Leases.prepare(this, false);
        last = new Chunk(SMALLEST_CHUNK);
        reading = last;
    }

    Object held() {
        return held;
    }

    void setHeld(Object what) {
        held = what;
        isHindered = what != null || speculation != null;
    }

    Speculation speculation() {
        return speculation;
    }

    void setSpeculation(Speculation fresh) {
        speculation = fresh;
        isHindered = held != null || fresh != null;
    }

    /** The thread is over, and the merger has taken everything: only its numbers may still be asked for. */
    void forget() {
        owner = null;
        last = null;
        reading = null;
        cache = WeakTable.NO_CACHE;
        recent = WeakTable.NO_RECENT;
        knownClasses = null;
        monitors = null;
        collections = null;
        locks = null;
        giver = null;
        openLabels = null;
        merged.forgetBlocks();
    }

    /** Of a thread that is over: whether others may still come to speak of it. */
    boolean isReachable() {
        return !ownerReached.refersTo(null) || !threadReached.refersTo(null);
    }

    /** Null if it is gone, and for work. */
    Thread thread() {
        return threadReached.get() instanceof Thread thread ? thread : null;
    }

    /** Another thread has waited for the end of this one, and is so far itself. */
    void setJoined(ThreadLog joiner) {
        Owner known = ownerReached.get();
        if (known != null) known.joined = joiner.id + 1L << 32 | joiner.position;
    }

    /** Work that nobody can begin any more. */
    boolean isUnreachableWork() {
        return tid == 0 && !isOver && threadReached.refersTo(null);
    }

    /** To be called before anything is locked. */
    boolean isFull() {
        return position - taken >= MOST_WAITING;
    }

    void awaitRoom() {
        while (isFull() && !Probes.isOff) Merger.await();
    }

    void add(long first, long second) {
        Chunk chunk = last;
        int at = lastFilled;
        if (at == chunk.words.length) {
            Chunk fresh = new Chunk(Math.min(at, LARGEST_CHUNK));
            chunk.next = fresh;
            last = chunk = fresh;
            at = 0;
        }
        chunk.words[at] = hasTouched ? first | Records.TOUCHED : first;
        hasTouched = false;
        chunk.words[at + 1] = second;
        lastFilled = at + 2;
        stamp = (long) (++position + 1) << 32;
        U.putIntRelease(chunk, FILLED, at + 2);
    }

    void begin(int label, int site) {
        epoch++;
        if (openBlocks == openLabels.length) openLabels = java.util.Arrays.copyOf(openLabels, 2 * openBlocks);
        openLabels[openBlocks] = label;
        if (openBlocks++ == 0) beginTransaction();
        add(Records.first(Records.BEGIN, site, label), Records.second(Records.NO_KEY, 0));
    }

    void end() {
        openBlocks--;
        add(Records.first(Records.END, 0, 0), Records.second(Records.NO_KEY, 0));
    }

    /** The thread waits: what it does after that is another execution of the blocks that are open. */
    void split(int site) {
        if (openBlocks == 0) return;
        epoch++;
        beginTransaction();
        add(Records.first(Records.SPLIT, site, 0), Records.second(Records.NO_KEY, 0));
    }

    boolean isGoingToWait() {
        for (int i = 0; i < openBlocks; i++) if (Labels.waits(openLabels[i])) return true;
        return false;
    }

    /** Blocks that have waited for what they gave to others are going to do so again. */
    void learnToWait() {
        for (int i = 0; i < openBlocks; i++) Labels.setWaits(openLabels[i]);
    }

    private void beginTransaction() {
        transaction = epoch;
        transactionBegin = position;
    }

    /** What the thread did so far others may know from now on. */
    void gaveAway() {
        if (Config.complete) epoch++;
    }

    void pushMonitor(Object monitor) {
        if (monitorCount == monitors.length) monitors = java.util.Arrays.copyOf(monitors, 2 * monitorCount);
        monitors[monitorCount++] = monitor;
    }

    Object popMonitor() {
        if (monitorCount == 0) return null;
        Object monitor = monitors[--monitorCount];
        monitors[monitorCount] = null;
        return monitor;
    }
}
