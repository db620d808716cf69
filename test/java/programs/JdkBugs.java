import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Vector;
import java.util.concurrent.CountDownLatch;

/** Classes of the JDK whose every method is synchronized, put together by two calls that are not. */
public class JdkBugs {
    static final StringBuffer text = new StringBuffer("start");
    static final List<Integer> list = Collections.synchronizedList(new ArrayList<>());
    static final Vector<Integer> vector = new Vector<>(List.of(1, 2, 3));

    static final CountDownLatch start = new CountDownLatch(2);
    static final CountDownLatch looked = new CountDownLatch(2);

    static void appendAll(StringBuffer to) {
        to.append(text);
    }

    static void addIfAbsent(Integer number) {
        if (list.contains(number)) return;
        // Once, both have looked before either adds.
        if (number == 0) meet(looked);
        list.add(number);
    }

    static void meet(CountDownLatch latch) {
        latch.countDown();
        try {
            latch.await();
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
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
        // Both at once, and the one that is short and rarely interrupted more often.
        meet(start);
        for (int i = 0; i < (what.equals("append") ? 20000 : 1000); i++) {
            switch (what) {
                case "append" -> {
                    if (me == 0) appendAll(new StringBuffer());
                    else if (i % 2 == 0) text.setLength(0);
                    else text.append("start");
                }
                case "absent" -> addIfAbsent(i % 20 + 100 * (i / 100));
                case "absent safely" -> addIfAbsentSafely(i % 20 + 100 * (i / 100));
                default -> {
                    if (me == 0) copy();
                    else if (i % 2 == 0) vector.add(i);
                    else vector.remove(vector.size() - 1);
                }
            }
        }
    }
}
