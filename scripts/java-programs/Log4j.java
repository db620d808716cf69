import java.io.PrintWriter;
import org.apache.log4j.spi.ThrowableInformation;

/**
 * Two appenders ask an event for its stack trace at the same time. The first one is in the middle of writing the trace when the second
 * one comes, which goes through or has to wait.
 */
public class Log4j {
    /** Takes its time to be printed; it is not watched. */
    static final class Stalling extends Exception {
        private final Thread second;

        Stalling(Thread second) {
            this.second = second;
        }

        @Override
        public void printStackTrace(PrintWriter out) {
            out.println("first line");
            out.println("second line");
            if (Thread.currentThread() == second) return;
            isPrinted = true;
            while (second.isAlive() && second.getState() != Thread.State.BLOCKED) Thread.yield();
        }
    }

    static ThrowableInformation information;
    static volatile boolean isPrinted;

    public static void main(String[] args) throws Exception {
        Thread second = new Thread(() -> {
            while (!isPrinted) Thread.yield();
            information.getThrowableStrRep();
        }, "second");
        information = new ThrowableInformation(new Stalling(second));
        second.start();
        int lines = information.getThrowableStrRep().length;
        second.join();
        System.out.println(lines);
    }
}
