/** Breaks a block, goes on for so long that this must have been sent, and kills itself. */
public class Killed {
    static int count;

    static synchronized int get() {
        return count;
    }

    static synchronized void set(int value) {
        count = value;
    }

    static void add(boolean isInterrupted) {
        int before = get();
        if (isInterrupted) Turns.giveAway();
        set(before + 1);
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            Turns.await(1);
            add(false);
            Turns.end();
            // More than fits into all buffers: whoever waits for room waits until what came before is sent.
            for (int i = 0; i < 100_000; i++) add(false);
        });
        other.start();
        add(true);
        other.join();
        new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start().waitFor();
    }
}
