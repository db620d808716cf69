import java.io.DataOutputStream;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads read and write a few variables without any lock. Every value that is written is written once, and every
 * thread keeps what it has read, so that it is known of each read which write it came after.
 */
public class Order {
    static int field;
    static volatile int shared;
    static final AtomicInteger atomic = new AtomicInteger();
    int member;
    static final int[] array = new int[2];

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        int rounds = Integer.parseInt(args[1]);
        Order object = new Order();
        int[][] seen = new int[threads][];
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int me = t;
            all[t] = new Thread(() -> seen[me] = work(object, me, rounds), "worker " + t);
        }
        for (Thread each : all) each.start();
        for (Thread each : all) each.join();
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(args[2])))) {
            for (int[] values : seen) for (int value : values) out.writeInt(value);
        }
    }

    /** Even steps write a value of their own, odd ones read: the variables in turn. */
    static int[] work(Order object, int me, int rounds) {
        int[] seen = new int[5 * rounds];
        int value = (me << 24) + 1;
        for (int i = 0; i < rounds; i++) {
            field = value++;
            seen[5 * i] = object.member;
            object.member = value++;
            seen[5 * i + 1] = array[i & 1];
            array[i & 1] = value++;
            seen[5 * i + 2] = atomic.get();
            atomic.set(value++);
            seen[5 * i + 3] = shared;
            shared = value++;
            seen[5 * i + 4] = field;
        }
        return seen;
    }
}
