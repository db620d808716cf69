/** What `Followed` calls: some of it directly, and the rest by `Shop`. */
class Depot {
    private int stock;

    synchronized int stock() {
        return stock;
    }

    synchronized void stock(int stock) {
        this.stock = stock;
    }

    static class Shop {
        private final Store store = new Store();

        int left() {
            return store.level();
        }

        void refill(int level) {
            store.fill(level);
        }
    }

    static class Store {
        private int level;

        synchronized int level() {
            return level;
        }

        synchronized void fill(int level) {
            this.level = level;
        }
    }

    /** Counts who comes, and lets everybody in. */
    static class Hall {
        private final java.util.concurrent.atomic.AtomicInteger inside = new java.util.concurrent.atomic.AtomicInteger();
        private final java.util.Queue<String> log = new java.util.concurrent.ConcurrentLinkedQueue<>();

        int inside() {
            return inside.get();
        }

        void enter() {
            int now = inside.incrementAndGet();
            log.add("guest " + now);
        }

        /** Who is one too many leaves again. */
        boolean tryEnter() {
            int now = inside.incrementAndGet();
            if (now <= 2) return true;
            inside.decrementAndGet();
            return false;
        }
    }
}
