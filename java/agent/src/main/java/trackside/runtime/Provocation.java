package trackside.runtime;

/**
 * Holds threads back in the middle of blocks, where others may come in; one that has a lock only for a moment, and none for long: where a thread
 * comes for the first times, it waits until another one comes there, too; later, chance decides, for a millisecond.
 */
public final class Provocation {
    private static final int PLACES = 1 << 14;
    /** So often a thread is new to a place: what is made when it is first needed is made once, and chance would come too late. */
    private static final int FIRST_VISITS = 4;

    private static final int HELD_BACK_ONE_IN = 16;
    /** In milliseconds: for one thread, and for all, beyond a twentieth of the time that has passed. */
    private static final int LONGEST_WAIT = 40;

    /** After so many nanoseconds, no more threads are expected to be started; those after the first ones do not wait for that. */
    private static final long QUIET = 4_000_000;

    private static final int MOST_AWAITING = 64;
    private static volatile long lastStart;

    private static final int ALL_WAITS = 500;
    /** The same with a lock, beyond a hundredth. */
    private static final int LONGEST_LOCKED_WAIT = 4;

    private static final int ALL_LOCKED_WAITS = 100;

    /** Two that come at once may count as one. Atomic variables would not do: what links them when they are first used may be watched itself. */
    private static final int[] arrivals = new int[PLACES];
    private static final byte[] visits = new byte[PLACES];
    private static final SpinLock somebodyWaits = new SpinLock();
    private static final long start = System.nanoTime();
    /** By whoever has `somebodyWaits`. */
    private static volatile int waited;

    private static volatile int waitedLocked;

    private Provocation() {}

    /** Before the program calls something, or takes a lock: what the block has done so far may be all that was protected. */
    public static void between(int site) {
        ThreadLog thread = Probes.enter();
        if (thread == null) return;
        if (!thread.hasCompany) awaitOthers(thread);
        if (!isOpen(thread)) return;
        if (hasShared(thread)) hold(thread, site);
        else if (thread.hasTouched) holdFirst(thread, site);
    }

    /** A thread is going to be started. */
    static void starting() {
        lastStart = System.nanoTime();
    }

    /**
     * Who has just been started waits until nobody is, for a moment: what the first threads have to do may be done before there is a second one.
     */
    private static void awaitOthers(ThreadLog thread) {
        thread.hasCompany = true;
        if (thread.forkedBy == null || thread.id > MOST_AWAITING || !thread.locks.isEmpty()) return;
        for (int time = 0; time < LONGEST_WAIT && System.nanoTime() - lastStart < QUIET && sleep(thread, 1); time++) {}
    }

    /** The same, before it calls a collection: the lock may be one that others do not take for it. */
    public static void beforeCollection(int site) {
        ThreadLog thread = Probes.enter();
        if (thread != null && thread.openBlocks > 0 && !thread.locks.isEmpty() && hasShared(thread)) holdLocked(thread, site);
        else between(site);
    }

    /** Before an access in the program. */
    static void before(ThreadLog thread, Shadow shadow, boolean isWrite, int site) {
        if (thread.openBlocks == 0 || Site.isOfJdk(site)) return;
        int owner = shadow.owner;
        boolean isOfOthers = owner != thread.id && owner != Shadow.NOBODY;
        if (!thread.locks.isEmpty()) {
            if (isWrite && isOfOthers && hasShared(thread)) holdLocked(thread, site);
            return;
        }
        if (isOfOthers && (thread.hasTouched || hasShared(thread))) hold(thread, site);
        else if (isWrite && thread.hasTouched) holdFirst(thread, site);
    }

    private static boolean isOpen(ThreadLog thread) {
        return thread.openBlocks > 0 && thread.locks.isEmpty();
    }

    /** Whether the block has done something that others may know of. */
    private static boolean hasShared(ThreadLog thread) {
        return thread.position > thread.transactionBegin + 1;
    }

    private static void hold(ThreadLog thread, int site) {
        if (holdFirst(thread, site)) return;
        int chance = chance(thread);
        if (chance % HELD_BACK_ONE_IN == 0) sleep(thread, 1);
        else if (chance % HELD_BACK_ONE_IN == 1) Thread.yield();
    }

    private static boolean holdFirst(ThreadLog thread, int site) {
        int chance = chance(thread);
        int place = (site ^ site >> 12) & PLACES - 1;
        int came = ++arrivals[place];
        // The very first one is held in any case; of the others, seeds decide.
        if (!ThreadLogs.areSeveral() || !isFirstVisit(thread, site) || chance % 8 == 0 && came > 1) return false;
        if (!awaitCompany(thread, place, came)) sleep(thread, 1 + chance / 8 % 2);
        return true;
    }

    private static boolean isFirstVisit(ThreadLog thread, int site) {
        int known = (site ^ site >> 12 ^ thread.id * 977) & PLACES - 1;
        return visits[known] < FIRST_VISITS && visits[known]++ < FIRST_VISITS;
    }

    /**
     * Until somebody else comes to the same place, however busy the machine is. Only one thread waits so, for the others are to come, and
     * less and less, as long as nobody does. False if there is another one, or no time for it any more.
     */
    private static boolean awaitCompany(ThreadLog thread, int place, int came) {
        long passed = (System.nanoTime() - start) / 1_000_000;
        long longest = Math.min(LONGEST_WAIT, (ALL_WAITS + passed / 20 - waited) / 8);
        if (longest < 2 || !somebodyWaits.tryLock()) return false;
        int time = 0;
        while (time < longest && arrivals[place] == came && !Probes.isOff && sleep(thread, 1)) time++;
        waited += time;
        somebodyWaits.unlock();
        return true;
    }

    /** With a lock, for a moment: those who take another one, where it should be the same, come all the same. */
    private static void holdLocked(ThreadLog thread, int site) {
        int place = (site ^ site >> 12) & PLACES - 1;
        int came = ++arrivals[place];
        // Later by chance, as others come for other data in their first visits.
        if (!ThreadLogs.areSeveral() || !isFirstVisit(thread, site) && chance(thread) % HELD_BACK_ONE_IN != 0) return;
        long passed = (System.nanoTime() - start) / 1_000_000;
        if (waitedLocked > ALL_LOCKED_WAITS + passed / 100 || !somebodyWaits.tryLock()) return;
        int time = 0;
        while (time < LONGEST_LOCKED_WAIT && arrivals[place] == came && !Probes.isOff && sleep(thread, 1)) time++;
        waitedLocked += time;
        somebodyWaits.unlock();
    }

    private static int chance(ThreadLog thread) {
        thread.chance = thread.chance * 1664525 + 1013904223 + Config.provokes;
        return thread.chance >>> 16;
    }

    /** What this does in the JDK is not the program's; nor is an interrupt ours, which is left for where the program waits itself. */
    private static boolean sleep(ThreadLog thread, int milliseconds) {
        thread.busy = true;
        try {
            if (Thread.currentThread().isInterrupted()) return false;
            Thread.sleep(milliseconds);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            thread.busy = false;
        }
    }
}
