import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Watched without any option that says what a block is: `bad…` is broken, `good…` is not, and both are blocks by what they do. */
public class Defaults {
    static final Map<String, Integer> hits = new ConcurrentHashMap<>();
    static final AtomicInteger open = new AtomicInteger();
    static volatile int serial;
    static final Account account = new Account();
    static final Properties properties = new Properties();
    static final Cache cache = new Cache();
    static final Buffer buffer = new Buffer();

    static class Account {
        private int balance = 100;

        int get() {
            synchronized (this) {
                return balance;
            }
        }

        synchronized void set(int value) {
            balance = value;
        }
    }

    /** A property of Kotlin or Scala: one that is volatile, and one that the class itself uses by methods. */
    static class Properties {
        private volatile int visible;
        private int guarded;

        int visible() {
            return visible;
        }

        void visible(int value) {
            visible = value;
        }

        private void own(int value) {
            guarded = value;
        }

        synchronized int guarded() {
            return guarded;
        }

        synchronized void guarded(int value) {
            own(value);
        }
    }

    static void badVisible(boolean isInterrupted) {
        int next = properties.visible() + 1;
        if (isInterrupted) Turns.giveAway();
        properties.visible(next);
    }

    static void badGuarded(boolean isInterrupted) {
        int next = properties.guarded() + 1;
        if (isInterrupted) Turns.giveAway();
        properties.guarded(next);
    }

    static void badHit(boolean isInterrupted) {
        Integer before = hits.get("page");
        if (isInterrupted) Turns.giveAway();
        Map<String, Integer> pages = hits;
        pages.put("page", before == null ? 1 : before + 1);
    }

    static boolean badLimit(boolean isInterrupted) {
        if (open.get() >= 5) return false;
        if (isInterrupted) Turns.giveAway();
        open.incrementAndGet();
        return true;
    }

    static void badSerial(boolean isInterrupted) {
        int next = serial + 1;
        if (isInterrupted) Turns.giveAway();
        serial = next;
    }

    static void badPay(boolean isInterrupted) {
        int left = account.get() - 5;
        if (isInterrupted) Turns.giveAway();
        account.set(left);
    }

    /** As in the documentation of ReentrantReadWriteLock. */
    static class Cache {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        private String value;
        private boolean isValid;
        private int used;

        String goodGet(boolean isInterrupted) {
            lock.readLock().lock();
            if (!isValid) {
                lock.readLock().unlock();
                if (isInterrupted) Turns.giveAway();
                lock.writeLock().lock();
                if (!isValid) {
                    value = "value";
                    isValid = true;
                }
                lock.readLock().lock();
                lock.writeLock().unlock();
            }
            try {
                return value;
            } finally {
                lock.readLock().unlock();
            }
        }

        void forget() {
            lock.writeLock().lock();
            isValid = false;
            lock.writeLock().unlock();
        }

        /** It looks once more, but goes by what it saw first. */
        void badUse(boolean isInterrupted) {
            int seen = used;
            if (isInterrupted) Turns.giveAway();
            synchronized (this) {
                if (used < 100) used = seen + 1;
            }
        }
    }

    static class Buffer {
        private final int[] items = new int[1000];
        private int count;

        void badPut(boolean isInterrupted) throws InterruptedException {
            synchronized (this) {
                while (count == items.length) wait();
            }
            if (isInterrupted) Turns.giveAway();
            synchronized (this) {
                items[count] = 1;
                count++;
            }
        }

        synchronized int goodTake() throws InterruptedException {
            while (count == 0) wait();
            return items[--count];
        }
    }

    interface Step {
        void run(boolean isInterrupted) throws Exception;
    }

    static void twice(Step first, Step second) throws Exception {
        Turns.reset();
        Thread one = new Thread(() -> once(first, true), "first");
        Thread other = new Thread(() -> {
            Turns.await(1);
            once(second, false);
            Turns.end();
        }, "second");
        one.start();
        other.start();
        one.join();
        other.join();
    }

    static void once(Step step, boolean isInterrupted) {
        try {
            step.run(isInterrupted);
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    public static void main(String[] args) throws Exception {
        for (Step step : new Step[] {Defaults::badHit, Defaults::badLimit, Defaults::badSerial, Defaults::badPay, Defaults::badVisible,
            Defaults::badGuarded})
            twice(step, step);
        twice(cache::badUse, cache::badUse);
        twice(buffer::badPut, buffer::badPut);
        twice(cache::goodGet, isInterrupted -> {
            cache.goodGet(false);
            cache.forget();
        });
        twice(isInterrupted -> {
            Turns.giveAway();
            buffer.goodTake();
        }, isInterrupted -> buffer.goodTake());
        System.out.println("done");
    }
}
