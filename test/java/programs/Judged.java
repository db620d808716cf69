import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What comes between two accesses is the same in `Bad.*`, where the second goes by the first, and in `Mixed.*`, where it goes by what it
 * finds; nothing comes between in `Good.*`.
 */
public class Judged {
    static final AtomicInteger tickets = new AtomicInteger(9);
    static final AtomicReference<String> names = new AtomicReference<>("");
    static final Ring ring = new Ring();
    static final Tank tank = new Tank();
    static final Layers layers = new Layers();
    static final AtomicInteger waiting = new AtomicInteger(3);
    static final List<String> mail = Collections.synchronizedList(new ArrayList<>(List.of("a", "b", "c")));
    static int draft;
    static int limit;

    /** An array of atomic variables, with a method of its own that only looks like one of them. */
    static class Ring extends AtomicIntegerArray {
        Ring() {
            super(2);
        }

        int get(String index) {
            return get(Integer.parseInt(index));
        }
    }

    static class Tank {
        private int level;
        private int goal = 1;

        synchronized int level() {
            return level;
        }

        synchronized void level(int level) {
            this.level = level;
        }

        synchronized void fill() {
            if (level < goal) {
                level = goal;
            }
        }

        synchronized void empty() {
            level = 0;
        }
    }

    /** Each of them locks and leaves the work to the next. */
    static class Layers {
        private int value;

        synchronized int outerGet() {
            return middleGet();
        }

        synchronized int middleGet() {
            return get();
        }

        synchronized int get() {
            return value;
        }

        synchronized void outerSet(int value) {
            middleSet(value);
        }

        synchronized void middleSet(int value) {
            set(value);
        }

        synchronized void set(int value) {
            this.value = value;
        }
    }

    static class Bad {
        static int draw(boolean isInterrupted) {
            if (tickets.get() <= 0) return -1;
            if (isInterrupted) Turns.giveAway();
            return tickets.getAndDecrement();
        }

        static void rename(boolean isInterrupted) {
            String seen = names.get();
            if (isInterrupted) Turns.giveAway();
            names.set(seen + "a");
        }

        static void overloads(boolean isInterrupted) {
            int seen = tank.level();
            if (isInterrupted) Turns.giveAway();
            tank.level(seen + 1);
        }

        static int draft(boolean isInterrupted) {
            draft = 1;
            if (isInterrupted) Turns.giveAway();
            return draft;
        }

        static void takeOut(boolean isInterrupted) {
            if (mail.isEmpty()) return;
            if (isInterrupted) Turns.giveAway();
            mail.remove(0);
        }

        static void serve(boolean isInterrupted) {
            if (waiting.get() <= 0) return;
            if (isInterrupted) Turns.giveAway();
            waiting.decrementAndGet();
        }

        static void layers(boolean isInterrupted) {
            int seen = layers.middleGet();
            if (isInterrupted) Turns.giveAway();
            layers.middleSet(seen + 1);
        }

        /** It looks again, but others come in after that, too. */
        static void lookedTooEarly(boolean isInterrupted) {
            if (!isInterrupted) {
                limit++;
                Turns.end();
                Turns.await(3);
                limit++;
                return;
            }
            int seen = limit;
            Turns.giveAway();
            if (limit > 100) return;

            Turns.end();
            Turns.await(4);
            limit = seen + 1;
        }
    }

    static class Mixed {
        static int draw(boolean isInterrupted) {
            int last = Pairs.lastSerial();
            if (isInterrupted) Turns.giveAway();
            return Pairs.nextSerial() - last;
        }

        static void rename(boolean isInterrupted) {
            int before = names.get().length();
            if (isInterrupted) Turns.giveAway();
            if (before >= 0) append();
        }

        static void fill(boolean isInterrupted) {
            if (!isInterrupted) {
                tank.empty();
                return;
            }
            tank.fill();
            Turns.giveAway();
            tank.fill();
        }

        static int draft(boolean isInterrupted) {
            draft = 1;
            if (isInterrupted) Turns.giveAway();
            draft = 2;
            return draft;
        }

        /** Nobody else takes out. */
        static void takeOut(boolean isInterrupted) {
            if (!isInterrupted) {
                mail.add("d");
                return;
            }
            if (mail.isEmpty()) return;
            Turns.giveAway();
            mail.remove(0);
        }

        static void layers(boolean isInterrupted) {
            int seen = layers.outerGet();
            if (isInterrupted) Turns.giveAway();
            layers.outerSet(seen + 1);
        }

        private static void append() {
            for (; ; ) {
                String seen = names.get();
                if (names.compareAndSet(seen, seen + "a")) return;
            }
        }
    }

    static class Good {
        static void serve(boolean isInterrupted) {
            if (!isInterrupted) {
                waiting.incrementAndGet();
                return;
            }
            if (waiting.get() <= 0) return;
            Turns.giveAway();
            waiting.decrementAndGet();
        }

        static void ownSlot(boolean isInterrupted) {
            int slot = isInterrupted ? 0 : 1;
            int seen = ring.get(slot) + ring.get(String.valueOf(slot));
            if (isInterrupted) Turns.giveAway();
            ring.set(slot, seen + 1);
        }
    }

    static void run() throws Exception {
        Pairs.interrupted(Good::ownSlot, Good::ownSlot);
        Pairs.interrupted(Good::serve, Good::serve);
        tank.fill();
        layers.set(1);
        for (Pairs.Step each : new Pairs.Step[] {
            Mixed::draw, Mixed::rename, Mixed::fill, Mixed::draft, Mixed::layers, Mixed::takeOut,
            Bad::draw, Bad::rename, Bad::overloads, Bad::draft, Bad::layers, Bad::lookedTooEarly,
            Bad::takeOut, Bad::serve
        }) Pairs.interrupted(each, each);
    }
}
