import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.*;
import java.util.concurrent.*;

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
        int number;
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

    static class Good extends State {
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
        Good good = new Good();
        for (Stepped.Step step : new Stepped.Step[] {bad::handle, bad::start, bad::join, bad::register, bad::next, bad::withdraw,
            good::note, good::handle, good::start, good::join, good::count})
            Stepped.twice(step);
        for (Runnable step : new Runnable[] {good::register, good::next, good::withdraw})
            Stepped.apart(isInterrupted -> step.run());
        System.out.println("done");
    }
}
