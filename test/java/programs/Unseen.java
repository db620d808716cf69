import java.util.ArrayDeque;

/**
 * Two pools that lock: the tests leave the first one unwatched, and so its lock is not seen. What it keeps in a collection of the JDK is its
 * own business then; of the second one, the same is seen.
 */
public class Unseen {
    static class Library {
        private final ArrayDeque<String> free = new ArrayDeque<>();

        synchronized void give(String each) {
            free.push(each);
        }

        synchronized String take() {
            return free.poll();
        }
    }

    static class Own {
        private final ArrayDeque<String> free = new ArrayDeque<>();

        synchronized void give(String each) {
            free.push(each);
        }

        synchronized String take() {
            return free.poll();
        }
    }

    static final Library library = new Library();
    static final Own own = new Own();

    static void usesLibrary() {
        library.give("a");
        Turns.giveAway();
        library.take();
    }

    static void usesOwn() {
        own.give("a");
        Turns.giveAway();
        own.take();
    }

    public static void main(String[] args) throws InterruptedException {
        meet(Unseen::usesLibrary, () -> library.give("b"));
        meet(Unseen::usesOwn, () -> own.give("b"));
        System.out.println("done");
    }

    private static void meet(Runnable block, Runnable other) throws InterruptedException {
        Turns.reset();
        Thread first = new Thread(block);
        Thread second = new Thread(() -> {
            Turns.await(1);
            other.run();
            Turns.end();
            Turns.end();
        });
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
