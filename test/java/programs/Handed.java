import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/**
 * Plain data that goes from one thread to another, and back, in every way that orders threads. Nothing here is a race; each
 * way has data of its own, so that one that is not understood shows.
 */
public class Handed {
    static class Box {
        int value;
    }

    interface Way {
        void go(Box box) throws Exception;
    }

    static final ExecutorService pool = Executors.newFixedThreadPool(2);

    public static void main(String[] args) throws Exception {
        way("thread", Handed::thread);
        way("volatile", Handed::volatileField);
        way("monitor", Handed::monitor);
        way("wait", Handed::waiting);
        way("interrupt", Handed::interrupt);
        way("lock", Handed::lock);
        way("condition", Handed::condition);
        way("read-write lock", Handed::readWriteLock);
        way("semaphore", Handed::semaphore);
        way("latch", Handed::latch);
        way("barrier", Handed::barrier);
        way("phaser", Handed::phaser);
        way("exchanger", Handed::exchanger);
        way("submit", Handed::submit);
        way("scheduled", Handed::scheduled);
        way("invokeAll", Handed::invokeAll);
        way("fork-join", Handed::forkJoin);
        way("parallel stream", Handed::parallelStream);
        way("completable", HandedInSteps::completable);
        way("queue", Handed::queue);
        way("atomic", HandedInSteps::atomic);
        way("stages", HandedInSteps::stages);
        way("handles", HandedInSteps::handles);
        way("own atomic", HandedInSteps::ownAtomic);
        way("functions", HandedInSteps::functions);
        way("termination", HandedInSteps::termination);
        way("asked for", HandedInSteps::askedFor);
        way("stamped lock", HandedInSteps::stampedLock);
        way("timer", Handed::timer);
        way("class initialisation", Handed::classInitialisation);
        way("clone", Handed::copies);
        pool.shutdown();
        System.out.println("done");
    }

    static void way(String name, Way way) throws Exception {
        for (int i = 0; i < 3; i++) {
            Box box = new Box();
            way.go(box);
            if (box.value < 2) throw new AssertionError(name + ": " + box.value);
        }
    }

    static void thread(Box box) throws Exception {
        box.value++;
        Thread child = new Thread(() -> box.value++);
        child.start();
        child.join();
        box.value++;
    }

    static volatile int turn;

    static void volatileField(Box box) throws Exception {
        turn = 0;
        Thread child = new Thread(() -> {
            while (turn == 0) Thread.onSpinWait();
            box.value++;
            turn = 2;
        });
        child.start();
        box.value++;
        turn = 1;
        while (turn == 1) Thread.onSpinWait();
        box.value++;
        child.join();
    }

    static void monitor(Box box) throws Exception {
        Runnable body = () -> {
            for (int i = 0; i < 5; i++) {
                synchronized (box) {
                    box.value++;
                }
            }
        };
        Thread child = new Thread(body);
        child.start();
        body.run();
        child.join();
    }

    static void waiting(Box box) throws Exception {
        Object signal = new Object();
        boolean[] isReady = new boolean[1];
        Thread child = new Thread(() -> {
            synchronized (signal) {
                box.value++;
                isReady[0] = true;
                signal.notifyAll();
            }
        });
        synchronized (signal) {
            child.start();
            while (!isReady[0]) signal.wait(1000, 5);
            box.value++;
        }
        child.join();
    }

    static void interrupt(Box box) throws Exception {
        Thread child = new Thread(() -> {
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException expected) {
                box.value++;
            }
        });
        child.start();
        box.value++;
        child.interrupt();
        child.join();
    }

    static void lock(Box box) throws Exception {
        Lock lock = new ReentrantLock();
        Runnable body = () -> {
            for (int i = 0; i < 5; i++) {
                if (i % 2 == 0) lock.lock();
                else while (!lock.tryLock()) Thread.onSpinWait();
                try {
                    box.value++;
                } finally {
                    lock.unlock();
                }
            }
        };
        Thread child = new Thread(body);
        child.start();
        body.run();
        child.join();
    }

    static void condition(Box box) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition isReady = lock.newCondition();
        Thread child = new Thread(() -> {
            lock.lock();
            box.value++;
            isReady.signal();
            lock.unlock();
        });
        lock.lock();
        child.start();
        while (box.value == 0) isReady.await();
        box.value++;
        lock.unlock();
        child.join();
    }

    static void readWriteLock(Box box) throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        int[] seen = new int[1];
        Thread child = new Thread(() -> {
            for (int i = 0; i < 5; i++) {
                lock.readLock().lock();
                seen[0] += box.value;
                lock.readLock().unlock();
            }
        });
        child.start();
        for (int i = 0; i < 5; i++) {
            lock.writeLock().lock();
            box.value++;
            lock.writeLock().unlock();
        }
        child.join();
    }

    static void semaphore(Box box) throws Exception {
        Semaphore there = new Semaphore(0);
        Semaphore back = new Semaphore(0);
        Thread child = new Thread(() -> {
            there.acquireUninterruptibly();
            box.value++;
            back.release();
        });
        child.start();
        box.value++;
        there.release();
        if (!back.tryAcquire(1, 10, TimeUnit.MINUTES)) throw new AssertionError();
        box.value++;
    }

    static void latch(Box box) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        new Thread(() -> {
            box.value++;
            latch.countDown();
        }).start();
        latch.await();
        box.value++;
    }

    static void barrier(Box box) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Thread child = new Thread(() -> {
            try {
                box.value++;
                barrier.await();
            } catch (Exception impossible) {
                throw new AssertionError(impossible);
            }
        });
        child.start();
        barrier.await();
        box.value++;
    }

    static void phaser(Box box) {
        Phaser phaser = new Phaser(2);
        new Thread(() -> {
            box.value++;
            phaser.arrive();
        }).start();
        phaser.arriveAndAwaitAdvance();
        box.value++;
    }

    static void exchanger(Box box) throws Exception {
        Exchanger<String> exchanger = new Exchanger<>();
        new Thread(() -> {
            try {
                box.value++;
                exchanger.exchange("a");
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
        }).start();
        exchanger.exchange("b");
        box.value++;
    }

    static void submit(Box box) throws Exception {
        box.value++;
        Future<?> first = pool.submit(() -> box.value++);
        first.get();
        box.value++;
        pool.submit(() -> {
            box.value++;
            return 1;
        }).get(10, TimeUnit.MINUTES);
        box.value++;
    }

    static void scheduled(Box box) throws Exception {
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
        box.value++;
        timer.schedule(() -> box.value++, 1, TimeUnit.MILLISECONDS).get();
        box.value++;
        timer.shutdown();
    }

    static void invokeAll(Box box) throws Exception {
        box.value++;
        Callable<Integer> task = () -> box.value++;
        for (Future<Integer> each : pool.invokeAll(java.util.List.of(task))) each.get();
        box.value++;
    }

    static void forkJoin(Box box) {
        box.value++;
        ForkJoinPool.commonPool().invoke(new RecursiveAction() {
            @Override
            protected void compute() {
                RecursiveAction inner = new RecursiveAction() {
                    @Override
                    protected void compute() {
                        box.value++;
                    }
                };
                inner.fork();
                inner.join();
                box.value++;
            }
        });
        box.value++;
    }

    static void parallelStream(Box box) {
        box.value += java.util.stream.IntStream.range(0, 1000).parallel().sum();
        int[] squares = new int[64];
        java.util.stream.IntStream.range(0, 64).parallel().forEach(i -> squares[i] = i * i);
        for (int square : squares) box.value += square;
    }

    static void queue(Box box) throws Exception {
        BlockingQueue<Box> queue = new LinkedBlockingQueue<>();
        BlockingQueue<Box> back = new ArrayBlockingQueue<>(1);
        new Thread(() -> {
            try {
                Box got = queue.take();
                got.value++;
                back.put(got);
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
        }).start();
        box.value++;
        queue.add(box);
        back.take().value++;
    }

    static void timer(Box box) throws Exception {
        Timer timer = new Timer(true);
        CountDownLatch latch = new CountDownLatch(1);
        box.value++;
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        box.value++;
                        latch.countDown();
                    }
                },
                1);
        latch.await();
        timer.cancel();
    }

    static class Initialised {
        static int value = 5;
        static Box box = new Box();
    }

    static void classInitialisation(Box box) throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        Thread child = new Thread(() -> {
            started.countDown();
            int seen = Initialised.value + Initialised.box.value;
        });
        child.start();
        started.await();
        box.value += Initialised.value + Initialised.box.value;
        child.join();
    }

    static class Copied extends java.util.BitSet {
        int value;
    }

    /** Copies of an object that several threads know are objects of their own. */
    static void copies(Box box) throws Exception {
        Copied original = new Copied();
        Runnable body = () -> {
            Copied mine;
            synchronized (original) {
                original.value++;
                mine = (Copied) original.clone();
            }
            for (int i = 0; i < 10; i++) mine.value++;
            synchronized (original) {
                box.value++;
            }
        };
        Thread child = new Thread(body);
        child.start();
        body.run();
        child.join();
    }
}
