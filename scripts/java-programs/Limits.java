import com.netflix.concurrency.limits.limit.FixedLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;

/** Threads that ask a limiter with room for two. */
public class Limits {
    public static void main(String[] args) throws Exception {
        SimpleLimiter<Void> limiter = SimpleLimiter.newBuilder().limit(FixedLimit.of(2)).build();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 100; i++) limiter.acquire(null).ifPresent(each -> each.onSuccess());
            });
            threads[t].start();
        }
        for (Thread each : threads) each.join();
        System.out.println("done");
    }
}
