import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Collections that are not concurrent, or in which each call is by itself: `Bad.*` looks at something and acts on it in two calls,
 * interrupted between them; `Good.*` does it in one, or under one lock. And data that one thread had to itself until it was interrupted.
 */
public class Collected {
    static final Map<String, Integer> hash = new HashMap<>();
    static final Map<String, Integer> linked = new LinkedHashMap<>();
    static final Map<String, Integer> wrapped = Collections.synchronizedMap(new HashMap<>());
    static final Map<String, Integer> sorted = Collections.synchronizedMap(new TreeMap<>());
    static final Map<String, Integer> table = new Hashtable<>();
    static final Map<Point, Integer> points = Collections.synchronizedMap(new HashMap<>());
    static final Map<String, Integer> weak = Collections.synchronizedMap(new WeakHashMap<>());
    static final NavigableMap<String, Integer> skipping = new ConcurrentSkipListMap<>();
    static final Set<String> set = Collections.synchronizedSet(new HashSet<>());
    static final List<String> list = new ArrayList<>();
    static final Vector<Integer> vector = new Vector<>(List.of(1, 2, 3));
    static final List<String> wrappedList = Collections.synchronizedList(new ArrayList<>());
    static final Set<String> keys = ConcurrentHashMap.newKeySet();
    static final ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
    static final Text one = new Text();
    static final Text other = new Text();
    static volatile int flag;
    static volatile Account account;

    record Point(int x, int y) {}

    static class Account {
        int balance;
    }

    /** As `StringBuffer` was when the papers were written. */
    static class Text {
        private int length = 1;

        synchronized int length() {
            return length;
        }

        synchronized void setLength(int length) {
            this.length = length;
        }

        synchronized int copy(int count) {
            return Math.min(count, length);
        }
    }

    static class Bad {
        static void wrappedList(boolean isInterrupted) {
            if (wrappedList.contains("a")) return;
            if (isInterrupted) Turns.giveAway();
            wrappedList.add("a");
        }

        static void sum(boolean isInterrupted) {
            int sum = 0;
            for (int each : vector) sum += each;
            if (isInterrupted) Turns.giveAway();
            vector.add(sum);
        }

        static void hash(boolean isInterrupted) {
            putUnlessThere(hash, isInterrupted);
        }

        static void linked(boolean isInterrupted) {
            putUnlessThere(linked, isInterrupted);
        }

        static void wrapped(boolean isInterrupted) {
            count(wrapped, isInterrupted);
        }

        static void sorted(boolean isInterrupted) {
            count(sorted, isInterrupted);
        }

        static void table(boolean isInterrupted) {
            putUnlessThere(table, isInterrupted);
        }

        static void weak(boolean isInterrupted) {
            putUnlessThere(weak, isInterrupted);
        }

        static void skipping(boolean isInterrupted) {
            putUnlessThere(skipping, isInterrupted);
        }

        static void points(boolean isInterrupted) {
            Point point = new Point(1, 2);
            if (points.get(point) != null) return;
            if (isInterrupted) Turns.giveAway();
            points.put(point, 1);
        }

        static void set(boolean isInterrupted) {
            if (set.contains("a")) return;
            if (isInterrupted) Turns.giveAway();
            set.add("a");
        }

        static void list(boolean isInterrupted) {
            if (list.contains("a")) return;
            if (isInterrupted) Turns.giveAway();
            list.add("a");
        }

        static void bounded(boolean isInterrupted) {
            if (wrapped.size() > 100) return;
            if (isInterrupted) Turns.giveAway();
            wrapped.put("bounded " + isInterrupted, 1);
        }

        static void vector(boolean isInterrupted) {
            int size = vector.size();
            if (isInterrupted) Turns.giveAway();
            vector.add(size);
        }

        /** Something has come in from the other thread before that touches the account. */
        static void own(boolean isInterrupted) {
            if (!isInterrupted) {
                flag = 1;
                Turns.end();
                Turns.await(3);
                account.balance = 7;
                return;
            }
            Account mine = new Account();
            account = mine;
            int seen = mine.balance;
            Turns.end();
            Turns.await(2);
            int told = flag;
            Turns.end();
            Turns.await(4);
            mine.balance = seen + told;
        }
    }

    /** What only reads twice, or finds that there is nothing to do, is a warning. */
    static class Mixed {
        static int append(boolean isInterrupted) {
            int length = other.length();
            if (isInterrupted) Turns.giveAway();
            return one.length() + other.copy(length);
        }

        static void shorten(boolean isInterrupted) {
            other.setLength(0);
        }

        /** As the constructor of `Vector` was. */
        static Object[] copy(boolean isInterrupted) {
            int size = vector.size();
            if (isInterrupted) Turns.giveAway();
            return vector.toArray(new Object[size]);
        }

        static void grow(boolean isInterrupted) {
            vector.add(1);
        }
    }

    static class Good {
        static void copied(boolean isInterrupted) {
            new Vector<>(vector);
        }

        static void changed(boolean isInterrupted) {
            vector.add(1);
        }

        static boolean key(boolean isInterrupted) {
            return keys.add("a");
        }

        static void checkedTwice(boolean isInterrupted) {
            readWrite.readLock().lock();
            try {
                if (hash.get("checked") != null) return;
            } finally {
                readWrite.readLock().unlock();
            }
            if (isInterrupted) Turns.giveAway();
            readWrite.writeLock().lock();
            try {
                if (hash.get("checked") == null) hash.put("checked", 1);
            } finally {
                readWrite.writeLock().unlock();
            }
        }

        static void atOnce(boolean isInterrupted) {
            wrapped.putIfAbsent("at once", 1);
        }

        static void counted(boolean isInterrupted) {
            wrapped.merge("counted", 1, Integer::sum);
            skipping.merge("counted", 1, Integer::sum);
            skipping.putIfAbsent("at once", 1);
            synchronized (weak) {
                if (!weak.containsKey("locked")) weak.put("locked", 0);
            }
        }

        static void computed(boolean isInterrupted) {
            table.computeIfAbsent("computed", key -> 1);
        }

        static void locked(boolean isInterrupted) {
            synchronized (wrapped) {
                if (!wrapped.containsKey("locked")) wrapped.put("locked", 0);
                wrapped.put("locked", wrapped.get("locked") + 1);
                for (Map.Entry<String, Integer> each : wrapped.entrySet()) each.getValue();
            }
        }

        static synchronized void guarded(boolean isInterrupted) {
            Integer before = linked.get("guarded");
            linked.put("guarded", before == null ? 1 : before + 1);
        }

        static void swapped(boolean isInterrupted) {
            for (; ; ) {
                Integer seen = wrapped.get("swapped");
                if (isInterrupted) Turns.giveAway();
                isInterrupted = false;
                if (seen == null) wrapped.putIfAbsent("swapped", 0);
                else if (wrapped.replace("swapped", seen, seen + 1)) return;
            }
        }
    }

    static void putUnlessThere(Map<String, Integer> map, boolean isInterrupted) {
        if (map.containsKey("a")) return;
        if (isInterrupted) Turns.giveAway();
        map.put("a", 1);
    }

    static void count(Map<String, Integer> map, boolean isInterrupted) {
        Integer seen = map.get("b");
        if (isInterrupted) Turns.giveAway();
        map.put("b", seen == null ? 1 : seen + 1);
    }

    static void run() throws Exception {
        Pairs.interrupted(Good::swapped, Good::swapped);
        Pairs.interrupted(Good::checkedTwice, Good::checkedTwice);
        Pairs.often(Good::copied, Good::changed);
        for (Pairs.Step each : new Pairs.Step[] {Good::key, Good::atOnce, Good::counted, Good::computed, Good::locked, Good::guarded})
            Pairs.often(each, each);
        for (Pairs.Step each : new Pairs.Step[] {
            Bad::hash, Bad::linked, Bad::wrapped, Bad::sorted, Bad::table, Bad::weak, Bad::skipping, Bad::points, Bad::set, Bad::list, Bad::bounded,
            Bad::vector, Bad::own, Bad::wrappedList, Bad::sum
        }) Pairs.interrupted(each, each);
        Pairs.interrupted(Mixed::append, Mixed::shorten);
        Pairs.interrupted(Mixed::copy, Mixed::grow);
    }
}
