import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/** Two threads are the first to ask for a logger. */
public class Slf4j {
    public static void main(String[] args) throws Exception {
        CountDownLatch start = new CountDownLatch(2);
        Runnable work = () -> {
            start.countDown();
            try {
                start.await();
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
            LoggerFactory.getILoggerFactory();
        };
        Thread[] threads = {new Thread(work), new Thread(work)};
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        System.out.println("started");
    }
}
