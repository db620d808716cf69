package groovy.util;

import org.apache.tools.ant.Task;

/** Two threads run tasks with one builder: each saves `System.in`, and puts it back. */
public class Groovy {
    /** The first one is not over before the second one is. */
    public static final class Slow extends Task {
        final Thread other;

        Slow(Thread other) {
            this.other = other;
        }

        @Override
        public String getTaskName() {
            return "slow";
        }

        @Override
        public void execute() {
            if (other == null) return;
            isRunning = true;
            while (other.isAlive() && other.getState() != Thread.State.BLOCKED) Thread.yield();
        }
    }

    static volatile boolean isRunning;

    public static void main(String[] args) throws Exception {
        AntBuilder builder = new AntBuilder();
        Thread second = new Thread(() -> {
            while (!isRunning) Thread.yield();
            builder.nodeCompleted(null, new Slow(null));
        }, "second");
        second.start();
        builder.nodeCompleted(null, new Slow(second));
        second.join();
        System.out.println("done");
    }
}
