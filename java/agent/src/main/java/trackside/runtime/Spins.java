package trackside.runtime;

/**
 * What is called instead of {@link Thread#yield}. A thread that waits for another by looking again and again gives way between its looks, each
 * of which is written down; while they are in vain, it gives way more often between two of them.
 */
public final class Spins {
    /** Who does more than this between two calls is not just looking. */
    private static final long LOOK_NANOS = 50_000;

    /** After so many looks, it gives way twice as often. */
    private static final int LOOKS = 8;

    private static final int MOST_TIMES = 64;

    private Spins() {}

    public static void yield() {
        if (Probes.isOff) {
            Thread.yield();
            return;
        }
        ThreadLog thread = ThreadLogs.current();
        if (System.nanoTime() - thread.lastYield > LOOK_NANOS) thread.yields = 0;
        int times = Math.min(1 << Math.min(thread.yields++ / LOOKS, 8), MOST_TIMES);
        for (int i = 0; i < times; i++) Thread.yield();
        thread.lastYield = System.nanoTime();
    }
}
