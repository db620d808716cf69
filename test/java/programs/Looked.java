import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/**
 * Looks that nothing confirms: what is claimed by a look, how many keys there are, what a table of properties, a handle or
 * a repository holds. Each in a bad way, and in its healthy one.
 */
public class Looked {
    record Account(int id, int balance) {}

    interface Accounts {
        Account findById(int id);

        void save(Account account);
    }

    static class Kept implements Accounts {
        private final Map<Integer, Account> all = new ConcurrentHashMap<>(Map.of(1, new Account(1, 100)));

        @Override
        public Account findById(int id) {
            return all.get(id);
        }

        @Override
        public void save(Account account) {
            all.put(account.id(), account);
        }
    }

    static class State {
        static final VarHandle NUMBER;

        static {
            try {
                NUMBER = MethodHandles.lookup().findVarHandle(State.class, "number", int.class);
            } catch (ReflectiveOperationException impossible) {
                throw new AssertionError(impossible);
            }
        }

        final Set<String> seen = ConcurrentHashMap.newKeySet();
        final Map<String, String> pending = new ConcurrentHashMap<>(Map.of("a", "job"));
        final Queue<String> done = new ConcurrentLinkedQueue<>();
        final Map<String, String> members = new ConcurrentHashMap<>(Map.of("x", "y"));
        final Properties users = new Properties();
        final Accounts accounts = new Kept();
        final Map<String, Set<String>> votes = new ConcurrentHashMap<>(Map.of("a", ConcurrentHashMap.newKeySet()));
        final Map<String, Integer> ages = new ConcurrentHashMap<>(Map.of("a", 9));
        final List<Integer> cart = new CopyOnWriteArrayList<>(List.of(1));
        final StringBuffer text = new StringBuffer();
        final AtomicInteger arrived = new AtomicInteger();
        final AtomicLong sum = new AtomicLong();
        final Kept store = new Kept();
        final Depot.Hall hall = new Depot.Hall();
        int number;
    }

    static Account less(Account account, boolean isInterrupted) {
        if (isInterrupted) Turns.giveAway();
        return new Account(account.id(), account.balance() - 5);
    }

    static class Bad extends State {
        void handle(boolean isInterrupted) {
            if (!seen.contains("a")) {
                if (isInterrupted) Turns.giveAway();
                seen.add("a");
                done.add("a");
            }
        }

        void start(boolean isInterrupted) {
            String job = pending.get("a");
            if (job != null) {
                if (isInterrupted) Turns.giveAway();
                pending.remove("a");
                done.add(job);
            }
        }

        void join(boolean isInterrupted) {
            if (members.size() >= 2) return;
            if (isInterrupted) Turns.giveAway();
            members.put(isInterrupted ? "first" : "second", "z");
        }

        void register(boolean isInterrupted) {
            if (users.getProperty("a") != null) return;
            if (isInterrupted) Turns.giveAway();
            users.setProperty("a", "b");
        }

        void next(boolean isInterrupted) {
            int now = (int) NUMBER.getVolatile(this);
            if (isInterrupted) Turns.giveAway();
            NUMBER.setVolatile(this, now + 1);
        }

        void withdraw(boolean isInterrupted) {
            Account account = accounts.findById(1);
            if (isInterrupted) Turns.giveAway();
            accounts.save(new Account(1, account.balance() - 5));
        }
    }

    /** What stands in functions, in methods of the same object, in what a map gives; what is seen one by one, or after a change. */
    static class Further extends State {
        void byReference(boolean isInterrupted) {
            Optional.of(store.findById(1)).map(account -> less(account, isInterrupted)).ifPresent(store::save);
        }

        void vote(boolean isInterrupted) {
            Set<String> voters = votes.get("a");
            if (!voters.contains("me")) {
                if (isInterrupted) Turns.giveAway();
                voters.add("me");
                done.add("me");
            }
        }

        void evict(boolean isInterrupted) {
            if (!isInterrupted) {
                ages.put("a", 0);
                return;
            }
            for (Map.Entry<String, Integer> each : ages.entrySet()) {
                if (each.getValue() > 5) {
                    Turns.giveAway();
                    ages.remove(each.getKey());
                }
            }
        }

        int checkout(boolean isInterrupted) {
            if (!isInterrupted) {
                cart.add(2);
                return 0;
            }
            int total = 0;
            for (int price : cart) total += price;
            Turns.giveAway();
            cart.clear();
            return total;
        }

        String format(boolean isInterrupted) {
            text.setLength(0);
            text.append(isInterrupted ? "first" : "second");
            if (isInterrupted) Turns.giveAway();
            return text.toString();
        }

        void enter(boolean isInterrupted) {
            if (hall.inside() >= 2) return;
            if (isInterrupted) Turns.giveAway();
            hall.enter();
        }

        void arrive(boolean isInterrupted) {
            arrived.incrementAndGet();
            if (isInterrupted) Turns.giveAway();
            if (arrived.get() == 2) done.add("all");
        }

        long reset(boolean isInterrupted) {
            long last = average();
            if (isInterrupted) Turns.giveAway();
            sum.set(last);
            return last;
        }

        private long average() {
            return sum.get() / 2;
        }
    }

    static class Good extends State {
        String cached(boolean isInterrupted) {
            lock.readLock().lock();
            try {
                String known = names.get("a");
                if (known != null) return known;
            } finally {
                lock.readLock().unlock();
            }
            if (isInterrupted) Turns.giveAway();
            lock.writeLock().lock();
            try {
                String known = names.get("a");
                if (known == null) {
                    known = "made";
                    names.put("a", known);
                }
                return known;
            } finally {
                lock.writeLock().unlock();
            }
        }

        void byReference(boolean isInterrupted) {
            synchronized (store) {
                Optional.of(store.findById(1)).map(account -> less(account, false)).ifPresent(store::save);
            }
        }

        void vote(boolean isInterrupted) {
            Set<String> voters = votes.get("a");
            if (voters.contains("me")) return;
            if (isInterrupted) Turns.giveAway();
            if (voters.add("me")) done.add("me");
        }

        void evict(boolean isInterrupted) {
            if (!isInterrupted) {
                ages.put("a", 0);
                return;
            }
            for (Map.Entry<String, Integer> each : ages.entrySet()) {
                if (each.getValue() > 5) {
                    Turns.giveAway();
                    ages.remove(each.getKey(), each.getValue());
                }
            }
        }

        /** Who walks through a map does not see all of it at one moment. */
        void walk(boolean isInterrupted) {
            if (!isInterrupted) {
                ages.put("x", 1);
                ages.put("y", 1);
                return;
            }
            int total = 0;
            for (Map.Entry<String, Integer> each : ages.entrySet()) {
                total += each.getValue();
                if (each.getKey().equals("x")) Turns.giveAway();
            }
            ages.put("total", total);
        }

        String format(boolean isInterrupted) {
            synchronized (text) {
                text.setLength(0);
                text.append("a");
                return text.toString();
            }
        }

        void enter(boolean isInterrupted) {
            if (hall.inside() >= 2) return;
            if (isInterrupted) Turns.giveAway();
            if (hall.tryEnter()) done.add("in");
        }

        void arrive(boolean isInterrupted) {
            int now = arrived.incrementAndGet();
            if (isInterrupted) Turns.giveAway();
            if (now == 2) done.add("all");
        }

        /** How many there are is only told. */
        void tell(boolean isInterrupted) {
            arrived.incrementAndGet();
            if (isInterrupted) Turns.giveAway();
            if (arrived.get() > 0) done.add("some");
        }

        private final Map<String, String> names = new HashMap<>();
        private final java.util.concurrent.locks.ReadWriteLock lock = new java.util.concurrent.locks.ReentrantReadWriteLock();

        /** Added twice is as good as once. */
        void note(boolean isInterrupted) {
            if (!seen.contains("a")) {
                if (isInterrupted) Turns.giveAway();
                seen.add("a");
            }
        }

        void handle(boolean isInterrupted) {
            if (seen.contains("b")) return;
            if (isInterrupted) Turns.giveAway();
            if (seen.add("b")) done.add("b");
        }

        void start(boolean isInterrupted) {
            String job = pending.get("a");
            if (job == null) return;
            if (isInterrupted) Turns.giveAway();
            if (pending.remove("a") != null) done.add(job);
        }

        /** While others only leave, there is still room. */
        void join(boolean isInterrupted) {
            if (!isInterrupted) {
                members.remove("x");
                return;
            }
            if (members.size() >= 2) return;
            Turns.giveAway();
            members.put("first", "z");
        }

        /** How many there are is only told. */
        int count(boolean isInterrupted) {
            seen.add(isInterrupted ? "c" : "d");
            if (isInterrupted) Turns.giveAway();
            return seen.size();
        }

        void register() {
            users.putIfAbsent("a", "b");
        }

        int next() {
            return (int) NUMBER.getAndAdd(this, 1);
        }

        synchronized void withdraw() {
            Account account = accounts.findById(1);
            accounts.save(new Account(1, account.balance() - 5));
        }
    }

    public static void main(String[] args) throws Exception {
        Bad bad = new Bad();
        Further further = new Further();
        Good good = new Good();
        good.ages.putAll(Map.of("x", 0, "y", 0));
        for (Stepped.Step step : new Stepped.Step[] {further::byReference, further::vote, further::evict, further::checkout, further::format,
            further::enter, further::arrive, further::reset, good::cached, good::vote, good::evict, good::walk, good::enter, good::arrive, good::tell})
            Stepped.twice(step);
        for (Stepped.Step step : new Stepped.Step[] {good::byReference, good::format})
            Stepped.apart(step);
        for (Stepped.Step step : new Stepped.Step[] {bad::handle, bad::start, bad::join, bad::register, bad::next, bad::withdraw,
            good::note, good::handle, good::start, good::join, good::count})
            Stepped.twice(step);
        for (Runnable step : new Runnable[] {good::register, good::next, good::withdraw})
            Stepped.apart(isInterrupted -> step.run());
        System.out.println("done");
    }
}
