import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.helpers.AppenderAttachableImpl;
import org.apache.log4j.spi.LoggingEvent;

/** Bug 54325 of log4j: threads attach the same appender at once, which is to be there once. */
public class Appenders {
    static final class Silent extends AppenderSkeleton {
        @Override
        protected void append(LoggingEvent event) {}

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
            return false;
        }
    }

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < Integer.parseInt(args[0]); round++) {
            AppenderAttachableImpl attached = new AppenderAttachableImpl();
            Silent appender = new Silent();
            Thread[] threads = new Thread[3];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(() -> attached.addAppender(appender));
                threads[i].start();
            }
            for (Thread thread : threads) thread.join();
        }
        System.out.println("done");
    }
}
