import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.StampedLock;

/** Ways of {@link Handed} by futures, atomic variables and what is like them, whose accesses are inside of the JDK. */
class HandedInSteps {
    static void completable(Handed.Box box) throws Exception {
        box.value++;
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> box.value++);
        CompletableFuture<Integer> second = first.thenApplyAsync(x -> box.value++, Handed.pool).thenApply(x -> box.value++);
        second.thenCombine(CompletableFuture.completedFuture(1), (x, y) -> box.value++).get();
        box.value++;
        CompletableFuture<Integer> byHand = new CompletableFuture<>();
        new Thread(() -> {
            box.value++;
            byHand.complete(1);
        }).start();
        byHand.join();
        box.value++;
    }

    static void atomic(Handed.Box box) throws Exception {
        AtomicBoolean isFree = new AtomicBoolean(true);
        AtomicInteger done = new AtomicInteger();
        AtomicReference<Handed.Box> published = new AtomicReference<>();
        Runnable body = () -> {
            while (!isFree.compareAndSet(true, false)) Thread.onSpinWait();
            box.value++;
            isFree.set(true);
            done.incrementAndGet();
        };
        Thread child = new Thread(body);
        child.start();
        body.run();
        while (done.get() < 2) Thread.onSpinWait();
        box.value++;
        Handed.Box other = new Handed.Box();
        Thread reader = new Thread(() -> {
            while (published.get() == null) Thread.onSpinWait();
            published.get().value++;
        });
        reader.start();
        other.value++;
        published.set(other);
        reader.join();
    }

    /** Every kind of stage, with what comes before it done and not done yet. */
    static void stages(Handed.Box box) throws Exception {
        for (boolean isLate : new boolean[] {true, false}) {
            CompletableFuture<Integer> source = new CompletableFuture<>();
            CompletableFuture<Integer> never = new CompletableFuture<>();
            Thread completer = new Thread(() -> {
                box.value++;
                source.complete(1);
            });
            if (!isLate) completer.start();
            CompletableFuture<?> last = source.handle((x, e) -> box.value++)
                    .whenComplete((x, e) -> box.value++)
                    .thenCompose(x -> CompletableFuture.supplyAsync(() -> box.value++))
                    .thenCompose(x -> CompletableFuture.completedFuture(box.value++))
                    .thenAccept(x -> {
                        box.value++;
                        throw new IllegalStateException();
                    })
                    .exceptionally(e -> {
                        box.value++;
                        return null;
                    })
                    .thenRun(() -> box.value++)
                    .applyToEither(never.thenRun(() -> {}), x -> box.value++)
                    .thenAcceptBothAsync(CompletableFuture.completedFuture(1), (x, y) -> box.value++, Handed.pool)
                    .orTimeout(10, TimeUnit.MINUTES)
                    .thenApply(x -> box.value++)
                    .copy();
            CompletableFuture<Object> any = CompletableFuture.anyOf(never, last);
            if (isLate) completer.start();
            CompletableFuture.allOf(any, last).join();
            box.value++;
            completer.join();
        }
    }

    volatile int state;
    static final java.lang.invoke.VarHandle STATE;
    static final java.lang.invoke.VarHandle ELEMENTS =
            java.lang.invoke.MethodHandles.arrayElementVarHandle(int[].class);
    static final java.util.concurrent.atomic.AtomicIntegerFieldUpdater<HandedInSteps> UPDATER =
            java.util.concurrent.atomic.AtomicIntegerFieldUpdater.newUpdater(HandedInSteps.class, "state");

    static {
        try {
            STATE = java.lang.invoke.MethodHandles.lookup().findVarHandle(HandedInSteps.class, "state", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** One word, changed by a handle, an updater and by name; and an element of an array. */
    static void handles(Handed.Box box) throws Exception {
        HandedInSteps object = new HandedInSteps();
        int[] elements = new int[300];
        Thread child = new Thread(() -> {
            while (!STATE.compareAndSet(object, 1, 2)) Thread.onSpinWait();
            box.value++;
            UPDATER.set(object, 3);
            while ((int) ELEMENTS.getAcquire(elements, 299) == 0) Thread.onSpinWait();
            box.value++;
            object.state = 4;
        });
        child.start();
        box.value++;
        UPDATER.compareAndSet(object, 0, 1);
        while ((int) STATE.getVolatile(object) != 3) Thread.onSpinWait();
        box.value++;
        ELEMENTS.setRelease(elements, 299, 1);
        while (UPDATER.get(object) != 4) Thread.onSpinWait();
        box.value++;
        child.join();
    }

    static class Flag extends AtomicInteger {
        void raise() {
            set(1);
        }

        boolean isRaised() {
            return get() == 1;
        }
    }

    static void ownAtomic(Handed.Box box) throws Exception {
        Flag flag = new Flag();
        Thread child = new Thread(() -> {
            while (!flag.isRaised()) Thread.onSpinWait();
            box.value++;
        });
        child.start();
        box.value++;
        flag.raise();
        child.join();
    }

    static void functions(Handed.Box box) throws Exception {
        AtomicInteger ticket = new AtomicInteger();
        Runnable body = () -> {
            int mine = ticket.getAndUpdate(x -> x + 1) % 10;
            while (ticket.get() / 10 != mine) Thread.onSpinWait();
            box.value++;
            ticket.accumulateAndGet(10, Integer::sum);
        };
        Thread child = new Thread(body);
        child.start();
        body.run();
        child.join();
    }

    static void termination(Handed.Box box) throws Exception {
        for (ExecutorService each : new ExecutorService[] {Executors.newCachedThreadPool(), new ForkJoinPool(1)}) {
            each.execute(() -> box.value++);
            each.shutdown();
            if (!each.awaitTermination(10, TimeUnit.MINUTES)) throw new AssertionError();
            box.value++;
        }
    }

    static void askedFor(Handed.Box box) throws Exception {
        Future<?> task = Handed.pool.submit(() -> box.value++);
        while (!task.isDone()) Thread.onSpinWait();
        box.value++;
        CompletableFuture<?> stage = CompletableFuture.runAsync(() -> box.value++);
        while (stage.getNow(null) == null && !stage.isDone()) Thread.onSpinWait();
        box.value++;
    }

    static void stampedLock(Handed.Box box) throws Exception {
        StampedLock lock = new StampedLock();
        Thread child = new Thread(() -> {
            for (int i = 0; i < 5; i++) {
                long stamp = lock.tryOptimisticRead();
                int seen = box.value;
                if (lock.validate(stamp)) continue;
                stamp = lock.readLock();
                seen = box.value;
                long write = lock.tryConvertToWriteLock(stamp);
                if (write != 0) box.value = seen + 1;
                lock.unlock(write != 0 ? write : stamp);
            }
        });
        child.start();
        for (int i = 0; i < 5; i++) {
            long stamp = lock.writeLock();
            box.value++;
            lock.unlockWrite(stamp);
        }
        child.join();
    }
}
