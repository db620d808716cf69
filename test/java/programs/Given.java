import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.stream.*;

/** Blocks that have others do their work: what they wait for is theirs, what they leave to itself is not. */
public class Given {
    static final ExecutorService pool = Executors.newFixedThreadPool(3);
    static final ExecutorService single = Executors.newSingleThreadExecutor();
    static final ForkJoinPool joined = new ForkJoinPool(2);
    static final AtomicInteger balance = new AtomicInteger();
    static final AtomicInteger other = new AtomicInteger();
    static final AtomicInteger told = new AtomicInteger();
    static final Map<String, Integer> map = new ConcurrentHashMap<>();
    static final ReentrantLock lock = new ReentrantLock();
    static int plain;
    static int own;
    static int helped;

    static class Bad {
        static void submit(boolean isInterrupted) throws Exception {
            int before = pool.submit(() -> balance.get()).get();
            if (isInterrupted) Turns.giveAway();
            pool.submit(() -> balance.set(before + 1)).get();
        }

        /** One thread does it all, but in pieces of two blocks. */
        static void single(boolean isInterrupted) throws Exception {
            int before = single.submit(() -> plain).get();
            if (isInterrupted) Turns.giveAway();
            single.submit(() -> plain = before + 1).get();
        }

        static void async(boolean isInterrupted) {
            boolean isThere = CompletableFuture.supplyAsync(() -> map.containsKey("a"), pool).join();
            if (isInterrupted) Turns.giveAway();
            if (!isThere) CompletableFuture.runAsync(() -> map.put("a", 1), pool).join();
        }

        static void all(boolean isInterrupted) throws Exception {
            List<Callable<Integer>> looks = List.of(() -> balance.get(), () -> other.get());
            int before = pool.invokeAll(looks).get(0).get();
            if (isInterrupted) Turns.giveAway();
            balance.set(before + 1);
        }

        static void parts(boolean isInterrupted) {
            int before = joined.invoke(new Sum(0, 4));
            if (isInterrupted) Turns.giveAway();
            balance.set(before);
        }
    }

    static class Mixed {
        /** Others are meant to write it: what one piece finds there is not what another one has put there. */
        static void told(boolean isInterrupted) throws Exception {
            pool.submit(() -> told.set(isInterrupted ? 1 : 2)).get();
            if (isInterrupted) Turns.giveAway();
            pool.submit(() -> told.get()).get();
        }
    }

    static class Sum extends RecursiveTask<Integer> {
        final int from, to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from == 1) return balance.get();
            Sum left = new Sum(from, (from + to) / 2);
            left.fork();
            return new Sum((from + to) / 2, to).compute() + left.join();
        }
    }

    static class Good {
        /** Its own work comes between its own accesses. */
        static void submit(boolean isInterrupted) throws Exception {
            lock.lock();
            try {
                int before = own;
                pool.submit(() -> own = before + 1).get();
                CompletableFuture.runAsync(() -> own++, pool).join();
                pool.invokeAll(List.of(() -> own++));
                own++;
            } finally {
                lock.unlock();
            }
        }

        static int sum(boolean isInterrupted) {
            lock.lock();
            try {
                int[] squares = IntStream.range(0, 64).parallel().map(i -> i * i + own).toArray();
                return squares[3] + joined.invoke(new Sum(0, 4));
            } finally {
                lock.unlock();
            }
        }

        /** It is another method that gives its work to others and waits. The work begins before that is seen. */
        static void helped(boolean isInterrupted) throws Exception {
            lock.lock();
            try {
                helped++;
                ask(() -> helped++);
                helped++;
            } finally {
                lock.unlock();
            }
        }

        /** Nobody waits for what the pool does with what others have done since. */
        static void leave(boolean isInterrupted) {
            map.put("left", 1);
            if (!isInterrupted) return;
            Turns.giveAway();
            pool.execute(() -> {
                map.get("found");
                Turns.end();
            });
            Turns.await(3);
        }

        static void find(boolean isInterrupted) {
            if (map.containsKey("left")) map.put("found", 1);
        }
    }

    static int ask(Callable<Integer> work) throws Exception {
        Turns.reset();
        Future<Integer> answer = pool.submit(() -> {
            int found = work.call();
            Turns.end();
            return found;
        });
        Turns.await(1);
        return answer.get();
    }

    static void run() throws Exception {
        Pairs.interrupted(Good::leave, Good::find);
        Good.helped(false);
        Thread summing = new Thread(() -> {
            for (int i = 0; i < 20; i++) Good.sum(false);
        });
        summing.start();
        for (int i = 0; i < 20; i++) Good.submit(false);
        summing.join();
        for (Pairs.Step each : new Pairs.Step[] {Bad::submit, Bad::single, Bad::async, Bad::all, Bad::parts, Mixed::told})
            Pairs.interrupted(each, each);
        pool.shutdown();
        single.shutdown();
        joined.shutdown();
    }
}
