import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/**
 * What programs do with the JDK, twice: `Bad.*` is interrupted at the one place where it must not be, `Good.*` is the healthy twin,
 * interrupted at the same place where that can be, and else run by two threads at once.
 */
public class Pairs {
    static final Map<String, Integer> map = new ConcurrentHashMap<>();
    static final List<Integer> list = Collections.synchronizedList(new ArrayList<>(List.of(1, 2, 3)));
    static final ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
    static final StampedLock stamped = new StampedLock();
    static final Semaphore two = new Semaphore(2);
    static final Semaphore one = new Semaphore(1);
    static final AtomicInteger atomic = new AtomicInteger();
    static final ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> new int[1]);
    static final Exchanger<int[]> exchanger = new Exchanger<>();
    static final ExecutorService pool = Executors.newFixedThreadPool(2);
    static final int[] buffer = new int[2];
    static int count;
    static int cached;
    static int next;
    static Object lazy;
    static volatile Object checked;
    static int[] result = new int[1];
    static final List<String> listeners = new CopyOnWriteArrayList<>();
    static final Queue<Integer> queue = new ConcurrentLinkedQueue<>(List.of(1, 2, 3));
    static final BlockingQueue<Integer> bounded = new LinkedBlockingQueue<>();
    static final Map<String, Integer> sessions = new HashMap<>();
    static volatile long nextId;
    static volatile Config config = new Config("host", 1);
    static volatile String host = "host";
    static volatile int port;

    static final AtomicInteger serial = new AtomicInteger();

    static int lastSerial() {
        return serial.get();
    }

    static int nextSerial() {
        return serial.incrementAndGet();
    }

    record Config(String host, int port) {}

    static class Bad {
        static void checkThenAct(boolean isInterrupted) {
            if (map.containsKey("a")) return;
            if (isInterrupted) Turns.giveAway();
            map.put("a", 1);
        }

        static void lazily(boolean isInterrupted) {
            if (lazy != null) return;
            if (isInterrupted) Turns.giveAway();
            lazy = new Object();
        }

        static void checkedOnce(boolean isInterrupted) {
            if (checked != null) return;
            if (isInterrupted) Turns.giveAway();
            synchronized (Pairs.class) {
                checked = new Object();
            }
        }

        static void put(boolean isInterrupted) {
            int at;
            synchronized (buffer) {
                at = count;
            }
            if (isInterrupted) Turns.giveAway();
            synchronized (buffer) {
                buffer[at] = 1;
                count = at + 1;
            }
        }

        static void cache(boolean isInterrupted) {
            readWrite.readLock().lock();
            int seen = cached;
            readWrite.readLock().unlock();
            if (isInterrupted) Turns.giveAway();
            readWrite.writeLock().lock();
            cached = seen + 1;
            readWrite.writeLock().unlock();
        }

        static void stamp(boolean isInterrupted) {
            long stamp = stamped.tryOptimisticRead();
            int seen = cached;
            if (!stamped.validate(stamp)) return;
            if (isInterrupted) Turns.giveAway();
            stamp = stamped.writeLock();
            cached = seen + 1;
            stamped.unlockWrite(stamp);
        }

        static void borrow(boolean isInterrupted) {
            two.acquireUninterruptibly();
            int mine = next;
            if (isInterrupted) Turns.giveAway();
            next = mine + 1;
            two.release();
        }

        static void getAndSet(boolean isInterrupted) {
            int seen = atomic.get();
            if (isInterrupted) Turns.giveAway();
            atomic.set(seen + 1);
        }

        static void stage(boolean isInterrupted) {
            int seen = result[0];
            if (isInterrupted) Turns.giveAway();
            result[0] = seen + 1;
        }

        static void subscribe(boolean isInterrupted) {
            if (listeners.contains("a")) return;
            if (isInterrupted) Turns.giveAway();
            listeners.add("a");
        }

        static void takeOut(boolean isInterrupted) {
            if (queue.isEmpty()) return;
            if (isInterrupted) Turns.giveAway();
            queue.remove();
        }

        static void takeHead(boolean isInterrupted) {
            if (queue.peek() == null) return;
            if (isInterrupted) Turns.giveAway();
            queue.poll();
        }

        static void putIn(boolean isInterrupted) {
            if (bounded.size() > 5) return;
            if (isInterrupted) Turns.giveAway();
            bounded.add(1);
        }

        static void id(boolean isInterrupted) {
            long mine = nextId;
            if (isInterrupted) Turns.giveAway();
            nextId = mine + 1;
        }

        static void iterate(boolean isInterrupted) {
            int size = list.size();
            if (isInterrupted) Turns.giveAway();
            if (size > 0) list.remove(0);
            else list.clear();
        }
    }

    /** The same for what several variables have to say together, which is a warning. */
    static class Mixed {
        static int address(boolean isInterrupted) {
            String before = host;
            if (isInterrupted) Turns.giveAway();
            return before.length() + port;
        }

        static void move(boolean isInterrupted) {
            host = "other";
            port = 2;
        }

        static double unchecked(boolean isInterrupted) {
            stamped.tryOptimisticRead();
            int seen = cached;
            if (isInterrupted) Turns.giveAway();
            return seen + next;
        }

        static void both(boolean isInterrupted) {
            long stamp = stamped.writeLock();
            cached++;
            next++;
            stamped.unlockWrite(stamp);
        }
    }

    static class Good {
        static int address(boolean isInterrupted) {
            Config seen = config;
            if (isInterrupted) Turns.giveAway();
            return seen.host().length() + seen.port();
        }

        static void move(boolean isInterrupted) {
            config = new Config("other", 2);
        }

        static void subscribe(boolean isInterrupted) {
            ((CopyOnWriteArrayList<String>) listeners).addIfAbsent("b");
            for (String each : listeners) if (isInterrupted) Turns.giveAway();
            listeners.remove("b");
        }

        static int drain(boolean isInterrupted) {
            int count = 0;
            while (!queue.isEmpty()) {
                if (isInterrupted) Turns.giveAway();
                isInterrupted = false;
                if (queue.poll() == null) break;
                count++;
            }
            return count;
        }

        static int refill(boolean isInterrupted) {
            queue.offer(1);
            if (isInterrupted) Turns.giveAway();
            queue.offer(2);
            return queue.size();
        }

        static void replace(boolean isInterrupted) {
            for (; ; ) {
                Integer seen = map.get("e");
                if (isInterrupted) Turns.giveAway();
                isInterrupted = false;
                if (seen == null) map.putIfAbsent("e", 0);
                else if (map.replace("e", seen, seen + 1)) return;
            }
        }

        static int session(boolean isInterrupted) {
            Integer found = sessions.get("s");
            if (found != null) return found;
            if (isInterrupted) Turns.giveAway();
            synchronized (sessions) {
                found = sessions.get("s");
                if (found == null) sessions.put("s", found = 1);
                return found;
            }
        }
        static void checkThenAct(boolean isInterrupted) {
            map.computeIfAbsent("b", key -> 1);
            map.merge("c", 1, Integer::sum);
            if (map.putIfAbsent("d", 1) != null) map.computeIfPresent("d", (key, value) -> null);
        }

        static synchronized void lazily(boolean isInterrupted) {
            if (lazy == null) lazy = new Object();
        }

        static Object checkedTwice(boolean isInterrupted) {
            Object found = checked;
            if (found != null) return found;
            if (isInterrupted) Turns.giveAway();
            synchronized (Pairs.class) {
                found = checked;
                if (found == null) checked = found = new Object();
                return found;
            }
        }

        static void put(boolean isInterrupted) {
            synchronized (buffer) {
                try {
                    while (count == buffer.length) buffer.wait();
                } catch (InterruptedException impossible) {
                    throw new AssertionError(impossible);
                }
                buffer[count++] = 1;
                buffer.notifyAll();
            }
        }

        static void take(boolean isInterrupted) {
            synchronized (buffer) {
                try {
                    while (count == 0) buffer.wait();
                } catch (InterruptedException impossible) {
                    throw new AssertionError(impossible);
                }
                count--;
                buffer.notifyAll();
            }
        }

        static int cache(boolean isInterrupted) {
            readWrite.writeLock().lock();
            try {
                return ++cached;
            } finally {
                readWrite.writeLock().unlock();
            }
        }

        static int look(boolean isInterrupted) {
            readWrite.readLock().lock();
            try {
                return cached + cached;
            } finally {
                readWrite.readLock().unlock();
            }
        }

        static void stamp(boolean isInterrupted) {
            long stamp = stamped.writeLock();
            next++;
            stamped.unlockWrite(stamp);
        }

        static int stampedLook(boolean isInterrupted) {
            long stamp = stamped.tryOptimisticRead();
            int seen = next + next;
            if (stamped.validate(stamp)) return seen;
            stamp = stamped.readLock();
            try {
                return next + next;
            } finally {
                stamped.unlockRead(stamp);
            }
        }

        static void borrow(boolean isInterrupted) {
            one.acquireUninterruptibly();
            result[0]++;
            one.release();
        }

        static void swap(boolean isInterrupted) {
            for (; ; ) {
                int seen = atomic.get();
                if (isInterrupted) Turns.giveAway();
                isInterrupted = false;
                if (atomic.compareAndSet(seen, seen + 1)) return;
            }
        }

        static void update(boolean isInterrupted) {
            atomic.updateAndGet(x -> x + 1);
        }

        static void own(boolean isInterrupted) {
            local.get()[0]++;
            local.get()[0]++;
        }

        static void iterate(boolean isInterrupted) {
            synchronized (list) {
                int sum = 0;
                for (int each : list) sum += each;
                list.add(sum & 7);
                list.remove(0);
            }
        }
    }

    interface Step {
        void run(boolean isInterrupted) throws Exception;
    }

    static int factory;

    static Thread thread(String name, Runnable body) throws Exception {
        // Every other one is a virtual thread, where there are any.
        if (factory++ % 2 == 0 || Runtime.version().feature() < 21) return new Thread(body, name);
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder");
        return (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, body);
    }

    /** The first is interrupted by the whole of the second. */
    static void interrupted(Step first, Step second) throws Exception {
        Turns.reset();
        Thread a = thread("first", () -> once(first, true));
        Thread b = thread("second", () -> {
            Turns.await(1);
            once(second, false);
            Turns.end();
        });
        a.start();
        b.start();
        a.join();
        b.join();
    }

    static void often(Step first, Step second) throws Exception {
        Thread a = thread("first", () -> often(first));
        Thread b = thread("second", () -> often(second));
        a.start();
        b.start();
        a.join();
        b.join();
    }

    static void often(Step step) {
        for (int i = 0; i < 200; i++) once(step, false);
    }

    static void once(Step step, boolean isInterrupted) {
        try {
            step.run(isInterrupted);
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
    }

    static void handOver() throws Exception {
        Phaser phaser = new Phaser(2);
        Thread other = thread("other", () -> {
            for (int i = 0; i < 20; i++) {
                int[] mine = {i};
                try {
                    exchanger.exchange(mine)[0]++;
                } catch (InterruptedException impossible) {
                    throw new AssertionError(impossible);
                }
                phaser.arriveAndAwaitAdvance();
            }
        });
        other.start();
        for (int i = 0; i < 20; i++) {
            exchanger.exchange(new int[] {i})[0]++;
            phaser.arriveAndAwaitAdvance();
        }
        other.join();
        // What it did last, it did to data of its own; and its end is waited for twice.
        int[] last = new int[1];
        other = thread("last", () -> last[0]++);
        other.start();
        other.join();
        other.join();
        List<Future<?>> tasks = new ArrayList<>();
        for (int i = 0; i < 20; i++) tasks.add(pool.submit(() -> Good.lazily(false)));
        for (Future<?> task : tasks) task.get();
        CompletableFuture<Void> chain = CompletableFuture.completedFuture(null);
        for (int i = 0; i < 20; i++) chain = chain.thenRunAsync(() -> Good.borrow(false), pool);
        chain.join();
    }

    public static void main(String[] args) throws Exception {
        interrupted(Good::swap, Good::swap);
        interrupted(Good::checkedTwice, Good::checkedTwice);
        interrupted(Good::address, Good::move);
        interrupted(Good::subscribe, Good::subscribe);
        interrupted(Good::drain, Good::drain);
        interrupted(Good::refill, Good::refill);
        interrupted(Good::replace, Good::replace);
        interrupted(Good::session, Good::session);
        for (Step each : new Step[] {
            Good::checkThenAct, Good::lazily, Good::checkedTwice, Good::cache, Good::stamp, Good::borrow, Good::swap,
            Good::update, Good::own, Good::iterate
        }) often(each, each);
        often(Good::put, Good::take);
        often(Good::cache, Good::look);
        often(Good::look, Good::look);
        often(Good::stamp, Good::stampedLook);
        handOver();
        lazy = null;
        checked = null;
        count = 0;
        for (Step each : new Step[] {
            Bad::checkThenAct, Bad::lazily, Bad::checkedOnce, Bad::put, Bad::cache, Bad::stamp, Bad::borrow,
            Bad::getAndSet, Bad::stage, Bad::iterate, Bad::subscribe, Bad::takeOut, Bad::takeHead, Bad::putIn, Bad::id
        }) interrupted(each, each);
        interrupted(Mixed::address, Mixed::move);
        interrupted(Mixed::unchecked, Mixed::both);
        Collected.run();
        Given.run();
        Judged.run();
        pool.shutdown();
        System.out.println("done");
    }
}
