import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * Blocks that nobody has named. What comes between two accesses is the same in `Bad.*`, where the second goes by the first or undoes what came
 * between, and in `Mixed.*`, where it does not, or is done two calls further down.
 */
public class Followed {
    static final Object lock = new Object();
    static final List<Integer> list = new ArrayList<>();
    static final CopyOnWriteArrayList<Integer> copied = new CopyOnWriteArrayList<>();
    static final List<Integer> log = Collections.synchronizedList(new ArrayList<>());
    static final LongAdder adder = new LongAdder();
    static final Depot depot = new Depot();
    static final Depot.Shop shop = new Depot.Shop();
    static final Pool pool = new Pool();
    static final Members members = new Members();
    static int count;

    static class Pool {
        private final Deque<Object> free = new ArrayDeque<>();

        Object borrow() {
            synchronized (free) {
                return free.isEmpty() ? new Object() : free.pop();
            }
        }

        void giveBack(Object one) {
            synchronized (free) {
                free.push(one);
            }
        }
    }

    static class Members {
        private final List<Integer> all = new ArrayList<>(List.of(0));

        synchronized List<Integer> all() {
            return new ArrayList<>(all);
        }

        synchronized void join(int one) {
            if (!all.contains(one)) all.add(one);
        }
    }

    static class Bad {
        volatile int hits;
        volatile Object made;
        static final Bad it = new Bad();

        static void limit(boolean isInterrupted) {
            boolean hasRoom;
            synchronized (lock) {
                hasRoom = count < 100;
            }
            if (isInterrupted) Turns.giveAway();
            if (hasRoom) {
                synchronized (lock) {
                    count++;
                }
            }
        }

        static List<Integer> drain(boolean isInterrupted) {
            if (!isInterrupted) {
                synchronized (lock) {
                    list.add(1);
                }
                return null;
            }
            List<Integer> copy;
            synchronized (lock) {
                copy = new ArrayList<>(list);
            }
            Turns.giveAway();
            synchronized (lock) {
                list.clear();
            }
            return copy;
        }

        static long reset(boolean isInterrupted) {
            adder.increment();
            long sum = adder.sum();
            if (isInterrupted) Turns.giveAway();
            adder.reset();
            return sum;
        }

        static void called(boolean isInterrupted) {
            int stock = depot.stock();
            if (isInterrupted) Turns.giveAway();
            depot.stock(stock + 1);
        }

        static void hit(boolean isInterrupted) {
            it.hits = it.hits + (isInterrupted ? Turns.one() : 1);
        }

        static void make(boolean isInterrupted) {
            if (it.made == null) it.made = new Object[isInterrupted ? Turns.one() : 1];
        }

        static void add(boolean isInterrupted) {
            if (!copied.contains(7)) copied.add(isInterrupted ? 6 + Turns.one() : 7);
        }
    }

    static class Mixed {
        static int apart(boolean isInterrupted) {
            int seen;
            synchronized (lock) {
                seen = count;
            }
            if (isInterrupted) Turns.giveAway();
            synchronized (lock) {
                count++;
            }
            return seen;
        }

        static void use(boolean isInterrupted) {
            Object one = pool.borrow();
            if (isInterrupted) Turns.giveAway();
            synchronized (lock) {
                count = 0;
            }
            pool.giveBack(one);
        }

        static void note(boolean isInterrupted) {
            log.add(1);
            if (isInterrupted) Turns.giveAway();
            log.add(2);
            synchronized (lock) {
                count = 0;
            }
        }

        static void far(boolean isInterrupted) {
            int left = shop.left();
            if (isInterrupted) Turns.giveAway();
            shop.refill(left + 1);
            synchronized (lock) {
                count = 0;
            }
        }

        static void again(boolean isInterrupted) {
            if (members.all().isEmpty()) return;
            if (isInterrupted) Turns.giveAway();
            members.join(isInterrupted ? 1 : 2);
        }
    }

    public static void main(String[] args) throws Exception {
        for (Pairs.Step each : new Pairs.Step[] {
            Bad::limit, Bad::drain, Bad::reset, Bad::called, Bad::hit, Bad::make, Bad::add,
            Mixed::apart, Mixed::use, Mixed::note, Mixed::far, Mixed::again
        }) Pairs.interrupted(each, each);
        System.out.println("done");
    }
}
