/** Breaks a block again and again, says so once it has, and goes on until somebody ends it. */
public class Killed {
    static int count;

    static synchronized int get() {
        return count;
    }

    static synchronized void set(int value) {
        count = value;
    }

    static void add() {
        int before = get();
        Thread.yield();
        set(before + 1);
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            Thread thread = new Thread(() -> {
                for (; ; ) add();
            });
            thread.setDaemon(true);
            thread.start();
        }
        Thread.sleep(700);
        ProcessHandle.of(ProcessHandle.current().pid()).ifPresent(self -> {
            try {
                new ProcessBuilder("kill", "-9", Long.toString(self.pid())).start().waitFor();
            } catch (Exception impossible) {
                throw new AssertionError(impossible);
            }
        });
    }
}
