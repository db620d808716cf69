import java.util.concurrent.CountDownLatch;
import org.junit.Test;

public class CounterTest {
    @Test
    public void countsInTwoThreads() throws Exception {
        Counter counter = new Counter();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            await(begun);
            counter.add(() -> {});
            done.countDown();
        }, "other");
        other.start();
        counter.add(() -> {
            begun.countDown();
            await(done);
        });
        other.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
