import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Nothing here makes a schedule: the windows are a few instructions long, and without `--provoke` hardly anybody ever meets them. */
public class Provoked {
    private static Provoked instance;
    private static final AtomicInteger left = new AtomicInteger(1_000_000);
    private static final Map<String, Integer> hits = new ConcurrentHashMap<>();
    private int balance;

    synchronized int balance() {
        return balance;
    }

    synchronized void setBalance(int value) {
        balance = value;
    }

    /** Two critical sections. */
    void pay() {
        setBalance(balance() + 1);
    }

    /** One. */
    synchronized void paySafely() {
        setBalance(balance() + 1);
    }

    /** It is made once. */
    static Provoked lazily() {
        if (instance == null) instance = new Provoked();
        return instance;
    }

    static void take() {
        left.set(left.get() - 1);
    }

    static void hit() {
        Integer before = hits.get("page");
        hits.put("page", before == null ? 1 : before + 1);
    }

    public static void main(String[] args) throws Exception {
        Provoked account = new Provoked();
        Provoked safe = new Provoked();
        Runnable work = () -> {
            lazily();
            for (int i = 0; i < 20; i++) {
                account.pay();
                safe.paySafely();
                take();
                hit();
            }
        };
        Thread[] threads = {new Thread(work), new Thread(work)};
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        System.out.println(safe.balance());
    }
}
