import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.Supplier;

/**
 * Steps that are harder to see, without any option that says what a block is: in a class above, in one that is not known yet, in a function,
 * by copying, before a wait, by a flag, by the order of keys, in bits, in a piece of work. Each in a bad way, and in its healthy one.
 */
public class Stepped {
    static class Recent extends LinkedHashMap<String, Integer> {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > 100;
        }
    }

    static class Store {
        private final Recent recent = new Recent();

        protected synchronized Integer get(String key) {
            return recent.get(key);
        }

        protected synchronized void put(String key, Integer value) {
            recent.put(key, value);
        }
    }

    interface Counter {
        int value();

        void setValue(int value);

        int getValue();

        default void count(boolean isInterrupted) {
            int next = getValue() + 1;
            if (isInterrupted) Turns.giveAway();
            setValue(next);
        }
    }

    static class Counted implements Counter {
        private int value;

        @Override
        public synchronized int value() {
            return value;
        }

        @Override
        public synchronized int getValue() {
            return value;
        }

        @Override
        public synchronized void setValue(int next) {
            value = next;
        }
    }

    static class Seats {
        private final BitSet taken = BitSet.valueOf(new long[] {1});

        synchronized boolean isTaken(int seat) {
            return taken.get(seat);
        }

        synchronized void take(int seat) {
            taken.set(seat);
        }

        synchronized boolean tryTake(int seat) {
            if (taken.get(seat)) return false;
            taken.set(seat);
            return true;
        }
    }

    record Id(int number) {}

    record Job(int due) implements Comparable<Job> {
        @Override
        public int compareTo(Job other) {
            return Integer.compare(due, other.due);
        }
    }

    static final Object lock = new Object();
    static final Map<String, Integer> topics = new HashMap<>();
    static final Map<String, Integer> scores = new ConcurrentHashMap<>();
    static final AtomicInteger phase = new AtomicInteger();
    static final Seats seats = new Seats();

    static <T> T locked(Supplier<T> body) {
        synchronized (lock) {
            return body.get();
        }
    }

    static class Bad extends Store {
        final List<String> lines = Collections.synchronizedList(new ArrayList<>(List.of("one", "two")));
        final Map<Integer, Future<Integer>> results = new ConcurrentHashMap<>();
        final AtomicBoolean busy = new AtomicBoolean();
        final ConcurrentSkipListMap<Integer, String> sorted = new ConcurrentSkipListMap<>(Map.of(1, "a", 2, "b", 3, "c"));
        final ConcurrentSkipListSet<Integer> chosen = new ConcurrentSkipListSet<>(List.of(1, 2, 3));
        final PriorityBlockingQueue<Job> jobs = new PriorityBlockingQueue<>(List.of(new Job(1), new Job(2), new Job(3)));
        final NavigableMap<Integer, Integer> free = Collections.synchronizedNavigableMap(new TreeMap<>(Map.of(1, 1, 2, 2, 3, 3)));
        final Map<Id, Integer> byId = new ConcurrentHashMap<>();
        int size;

        void inherited(boolean isInterrupted) {
            Integer before = get("a");
            if (isInterrupted) Turns.giveAway();
            if (before == null) put("a", 1);
        }

        void inFunctions(boolean isInterrupted) {
            Integer known = locked(() -> topics.get("a"));
            if (isInterrupted) Turns.giveAway();
            if (known == null)
                locked(() -> topics.put("a", 1));
        }

        void bits(boolean isInterrupted) {
            if (seats.isTaken(1)) return;
            if (isInterrupted) Turns.giveAway();
            seats.take(1);
        }

        /** A piece of work, with what it has from where it was made. */
        void task(boolean isInterrupted) {
            Map<String, Integer> counts = scores;
            Runnable task = () -> {
                int before = counts.getOrDefault("a", 0);
                if (isInterrupted) Turns.giveAway();
                counts.put("a", before + 1);
            };
            task.run();
        }

        int copied(boolean isInterrupted) {
            List<String> taken = new ArrayList<>(lines);
            if (isInterrupted) Turns.giveAway();
            lines.clear();
            return taken.size();
        }

        int waited(boolean isInterrupted) throws Exception {
            Future<Integer> known = results.get(1);
            if (known == null) {
                FutureTask<Integer> task = new FutureTask<>(() -> 1);
                if (isInterrupted) Turns.giveAway();
                results.put(1, task);
                known = task;
                task.run();
            }
            return known.get();
        }

        void byFlag(boolean isInterrupted) {
            while (!busy.compareAndSet(false, true)) Thread.onSpinWait();
            int at = size;
            busy.set(false);
            if (isInterrupted) Turns.giveAway();
            while (!busy.compareAndSet(false, true)) Thread.onSpinWait();
            size = at + 1;
            busy.set(false);
        }

        Integer first(boolean isInterrupted) {
            Integer first = sorted.firstKey();
            if (isInterrupted) Turns.giveAway();
            sorted.remove(first);
            return first;
        }

        Integer lowest(boolean isInterrupted) {
            Integer lowest = chosen.higher(0);
            if (isInterrupted) Turns.giveAway();
            chosen.remove(lowest);
            return lowest;
        }

        Job due(boolean isInterrupted) {
            Job first = jobs.peek();
            if (isInterrupted) Turns.giveAway();
            return first.due() < 5 ? jobs.poll() : null;
        }

        Integer fitting(boolean isInterrupted) {
            Map.Entry<Integer, Integer> found = free.ceilingEntry(1);
            if (isInterrupted) Turns.giveAway();
            free.remove(found.getKey());
            return found.getKey();
        }

        void byRecord(boolean isInterrupted) {
            Integer before = byId.get(new Id(1));
            if (isInterrupted) Turns.giveAway();
            byId.put(new Id(1), before == null ? 1 : before + 1);
        }
    }

    static class Good extends Store {
        final List<String> lines = Collections.synchronizedList(new ArrayList<>(List.of("one", "two")));
        final Map<Integer, Future<Integer>> results = new ConcurrentHashMap<>();
        final AtomicBoolean busy = new AtomicBoolean();
        final ConcurrentSkipListMap<Integer, String> sorted = new ConcurrentSkipListMap<>(Map.of(1, "a", 2, "b", 3, "c"));
        final ConcurrentSkipListSet<Integer> chosen = new ConcurrentSkipListSet<>(List.of(1, 2, 3));
        final PriorityBlockingQueue<Job> jobs = new PriorityBlockingQueue<>(List.of(new Job(1), new Job(2), new Job(3)));
        final NavigableMap<Integer, Integer> free = Collections.synchronizedNavigableMap(new TreeMap<>(Map.of(1, 1, 2, 2, 3, 3)));
        final Map<Id, Integer> byId = new ConcurrentHashMap<>();
        int size;

        synchronized void inherited() {
            if (get("a") == null) put("a", 1);
        }

        void inFunctions() {
            locked(() -> topics.computeIfAbsent("b", key -> 1));
        }

        int copied() {
            List<String> taken;
            synchronized (lines) {
                taken = new ArrayList<>(lines);
                lines.clear();
            }
            return taken.size();
        }

        int waited(boolean isInterrupted) throws Exception {
            Future<Integer> known = results.get(1);
            if (known == null) {
                FutureTask<Integer> task = new FutureTask<>(() -> 1);
                if (isInterrupted) Turns.giveAway();
                known = results.putIfAbsent(1, task);
                if (known == null) {
                    known = task;
                    task.run();
                }
            }
            return known.get();
        }

        void byFlag() {
            while (!busy.compareAndSet(false, true)) Thread.onSpinWait();
            int at = size;
            size = at + 1;
            busy.set(false);
        }

        /** Another thread may have taken it: then there is another one. */
        Integer first(boolean isInterrupted) {
            Integer first = sorted.firstKey();
            if (isInterrupted) Turns.giveAway();
            return sorted.remove(first) != null ? first : null;
        }

        Integer lowest() {
            return chosen.pollFirst();
        }

        Job due() {
            synchronized (jobs) {
                Job first = jobs.peek();
                return first.due() < 5 ? jobs.poll() : null;
            }
        }

        Integer fitting() {
            synchronized (free) {
                Map.Entry<Integer, Integer> found = free.ceilingEntry(1);
                free.remove(found.getKey());
                return found.getKey();
            }
        }

        void bits() {
            seats.tryTake(2);
        }

        void task() {
            Runnable task = () -> scores.merge("b", 1, Integer::sum);
            task.run();
        }

        /** What a thread does all the time, from one phase to the next. */
        void life(boolean isInterrupted) {
            Runnable life = () -> {
                int before = phase.get();
                if (isInterrupted) Turns.giveAway();
                for (int i = before; i < 3; i++) Thread.yield();
                phase.set(3);
            };
            life.run();
        }

        void byRecord() {
            byId.merge(new Id(1), 1, Integer::sum);
        }
    }

    interface Step {
        void run(boolean isInterrupted) throws Exception;
    }

    static void twice(Step step) throws Exception {
        Turns.reset();
        Thread one = new Thread(() -> once(step, true), "first");
        Thread other = new Thread(() -> {
            Turns.await(1);
            once(step, false);
            Turns.end();
        }, "second");
        one.start();
        other.start();
        one.join();
        other.join();
    }

    /** The second time, while the first one is in the middle of nothing. */
    static void apart(Step step) throws Exception {
        twice(isInterrupted -> {
            if (isInterrupted) Turns.giveAway();
            step.run(false);
        });
    }

    static void once(Step step, boolean isInterrupted) {
        try {
            step.run(isInterrupted);
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    public static void main(String[] args) throws Exception {
        Bad bad = new Bad();
        Good good = new Good();
        Counter counter = new Counted();
        twice(counter::count);
        for (Step step : new Step[] {bad::inherited, bad::inFunctions, bad::copied, bad::waited, bad::byFlag, bad::first, bad::lowest,
            bad::due, bad::fitting, bad::byRecord, bad::bits, bad::task, good::waited, good::first, good::life})
            twice(step);
        for (Runnable step : new Runnable[] {good::inherited, good::inFunctions, good::copied, good::byFlag, good::lowest, good::due,
            good::fitting, good::byRecord, good::bits, good::task})
            apart(isInterrupted -> step.run());
        System.out.println("done");
    }
}
