package trackside.runtime;

/**
 * What is called instead of {@link Thread#yield}. A thread that waits for another by looking again and again gives way between its looks, each
 * of which is written down. While they are in vain, it gives way more often between two of them, and rests once they have been so for longer
 * than a rest takes: that at most doubles how long it waits.
 */
public final class Spins {
    /** Who does more than this between two calls is not just looking. */
    private static final long LOOK_NANOS = 50_000;

    /** After so many looks, it gives way twice as often. */
    private static final int LOOKS = 8;

    private static final int MOST_TIMES = 64;
    private static final long REST_MILLIS = 1;
    private static final long FIRST_REST_NANOS = 16 * REST_MILLIS * 1_000_000;

    private Spins() {}

    public static void yield() {
        if (Probes.isOff) {
            Thread.yield();
            return;
        }
        ThreadLog thread = ThreadLogs.current();
        long now = System.nanoTime();
        if (now - thread.lastYield > LOOK_NANOS) {
            thread.yields = 0;
            thread.firstYield = now;
        }
        if (now - thread.firstYield > FIRST_REST_NANOS && !Thread.currentThread().isInterrupted()) rest();
        else giveWay(Math.min(1 << Math.min(thread.yields++ / LOOKS, Integer.SIZE - 2), MOST_TIMES));
        thread.lastYield = System.nanoTime();
    }

    private static void giveWay(int times) {
        for (int i = 0; i < times; i++) Thread.yield();
    }

    private static void rest() {
        try {
            Thread.sleep(REST_MILLIS);
        } catch (InterruptedException interrupted) {
            // The program's own business: it will meet it where it waits itself.
            Thread.currentThread().interrupt();
        }
    }
}
