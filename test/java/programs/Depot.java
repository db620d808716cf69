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
}
