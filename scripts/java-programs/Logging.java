import java.util.concurrent.CountDownLatch;
import org.apache.commons.logging.LogFactory;

/** Two threads ask for the logs of the same names: of one name, there should be one. */
public class Logging {
    public static void main(String[] args) throws Exception {
        int names = Integer.parseInt(args[0]);
        LogFactory factory = LogFactory.getFactory();
        CountDownLatch start = new CountDownLatch(2);
        Runnable work = () -> {
            start.countDown();
            try {
                start.await();
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
            for (int i = 0; i < names; i++) factory.getInstance("log" + i);
        };
        Thread[] threads = {new Thread(work), new Thread(work)};
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        System.out.println(names + " names");
    }
}
