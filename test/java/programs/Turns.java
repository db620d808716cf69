/**
 * Makes the schedule of a test. The tests leave this class unwatched, so that nothing is ordered by it but time: what is found is
 * found by what the program does itself.
 */
final class Turns {
    private static volatile int taken;

    private Turns() {}

    static void await(int turn) {
        while (taken < turn) Thread.yield();
    }

    static void reset() {
        taken = 0;
    }

    static synchronized void end() {
        taken++;
    }

    /** Goes on when others have ended two more turns. */
    static void giveAway() {
        int before = taken;
        end();
        await(before + 2);
    }

    /** In the middle of an expression. */
    static int one() {
        giveAway();
        return 1;
    }
}
