import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Vector;

/** Classes of the JDK whose every method is synchronized, put together by two calls that are not. */
public class JdkBugs {
    static final List<Integer> list = Collections.synchronizedList(new ArrayList<>());
    static final Vector<Integer> vector = new Vector<>(List.of(1, 2, 3));

    static void addIfAbsent(Integer number) {
        if (list.contains(number)) return;
        // Once, both have looked before either adds.
        if (number == 0) {
            Turns.end();
            Turns.await(2);
        }
        list.add(number);
    }

    static void addIfAbsentSafely(Integer number) {
        synchronized (list) {
            if (!list.contains(number)) list.add(number);
        }
    }

    static Vector<Integer> copy() {
        return new Vector<>(vector);
    }

    public static void main(String[] args) throws Exception {
        String what = args[0];
        Thread other = new Thread(() -> body(what, 1), "other");
        other.start();
        body(what, 0);
        other.join();
        System.out.println("done");
    }

    static void body(String what, int me) {
        switch (what) {
            case "absent" -> {
                for (int i = 0; i < 10; i++) addIfAbsent(i);
            }
            case "absent safely" -> {
                for (int i = 0; i < 1000; i++) addIfAbsentSafely(i % 20 + 100 * (i / 100));
            }
            default -> {
                for (int i = 0; i < 1000; i++) {
                    if (me == 0) copy();
                    else if (i % 2 == 0) vector.add(i);
                    else vector.remove(vector.size() - 1);
                }
            }
        }
    }
}
