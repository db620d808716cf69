import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/** Nothing here makes a schedule: the windows are a few instructions long, and without `--provoke` hardly anybody ever meets them. */
public class Provoked {
    private static final int ROUNDS = 150;
    private static final AtomicInteger left = new AtomicInteger(1_000_000);
    private static final Map<String, Integer> hits = new ConcurrentHashMap<>();
    private int balance;

    synchronized int balance() {
        return balance;
    }

    synchronized void setBalance(int value) {
        balance = value;
    }

    void pay() {
        setBalance(balance() + 1);
    }

    synchronized void paySafely() {
        setBalance(balance() + 1);
    }

    static void take() {
        left.set(left.get() - 1);
    }

    static void hit() {
        Integer before = hits.get("page");
        hits.put("page", before == null ? 1 : before + 1);
    }

    static void hitSafely() {
        hits.merge("safe", 1, Integer::sum);
    }

    public static void main(String[] args) throws Exception {
        Provoked account = new Provoked();
        Provoked safe = new Provoked();
        CyclicBarrier start = new CyclicBarrier(2);
        Runnable work = () -> {
            try {
                start.await();
            } catch (Exception impossible) {
                throw new AssertionError(impossible);
            }
            for (int i = 0; i < ROUNDS; i++) {
                account.pay();
                safe.paySafely();
                take();
                hit();
                hitSafely();
            }
        };
        Thread[] threads = {new Thread(work), new Thread(work)};
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        System.out.println(safe.balance() + " " + hits.get("safe"));
    }
}
