import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Threads, virtual ones among them where there are any, access variables of all kinds by chance and without any lock: `// w` writes a value that
 * nobody else writes, `// r` reads, and `// x` does both at once. Each thread keeps what it has read, or -1 for a write.
 */
public class Scattered {
    static int plain;
    static volatile int visible;
    static final AtomicInteger atomic = new AtomicInteger();
    static final AtomicIntegerArray atomics = new AtomicIntegerArray(3);
    static final AtomicReference<Integer> reference = new AtomicReference<>(0);
    static final int[] few = new int[4];
    static final int[] many = new int[400];
    static final VarHandle HANDLE;
    int field;
    volatile int volatileField;
    int handled;

    static {
        try {
            HANDLE = MethodHandles.lookup().findVarHandle(Scattered.class, "handled", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        Scattered object = new Scattered();
        int[][] seen = new int[4][];
        Thread[] all = new Thread[seen.length];
        for (int t = 0; t < all.length; t++) {
            int me = t;
            all[t] = thread("worker " + t, t >= 2, () -> seen[me] = work(object, me, rounds));
        }
        for (Thread each : all) each.start();
        for (Thread each : all) each.join();
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(args[1])))) {
            for (int[] values : seen) for (int value : values) out.writeInt(value);
        }
    }

    static Thread thread(String name, boolean isVirtual, Runnable work) throws ReflectiveOperationException {
        if (!isVirtual || Runtime.version().feature() < 21) return new Thread(work, name);
        Class<?> builder = Class.forName("java.lang.Thread$Builder");
        Object named = builder.getMethod("name", String.class).invoke(Thread.class.getMethod("ofVirtual").invoke(null), name);
        return (Thread) builder.getMethod("unstarted", Runnable.class).invoke(named, work);
    }

    static int[] work(Scattered object, int me, int rounds) {
        int[] seen = new int[rounds];
        Random random = new Random(me);
        for (int i = 0; i < rounds; i++) {
            int value = (me << 24) + i + 1;
            int at = random.nextInt(3);
            int got = -1;
            switch (random.nextInt(25)) {
                case 0 -> plain = value; // w
                case 1 -> got = plain; // r
                case 2 -> visible = value; // w
                case 3 -> got = visible; // r
                case 4 -> atomic.set(value); // w
                case 5 -> got = atomic.get(); // r
                case 6 -> got = atomic.getAndSet(value); // x
                case 7 -> atomics.lazySet(at, value); // w
                case 8 -> got = atomics.get(at); // r
                case 9 -> got = atomics.getAndSet(at, value); // x
                case 10 -> reference.set(value); // w
                case 11 -> got = reference.get(); // r
                case 12 -> few[at] = value; // w
                case 13 -> got = few[at]; // r
                case 14 -> many[150 * at] = value; // w
                case 15 -> got = many[150 * at]; // r
                case 16 -> object.field = value; // w
                case 17 -> got = object.field; // r
                case 18 -> object.volatileField = value; // w
                case 19 -> got = object.volatileField; // r
                case 20 -> HANDLE.setOpaque(object, value); // w
                case 21 -> got = (int) HANDLE.getOpaque(object); // r
                case 22 -> HANDLE.setRelease(object, value); // w
                case 23 -> got = (int) HANDLE.getAcquire(object); // r
                default -> got = (int) HANDLE.getAndSet(object, value); // x
            }
            seen[i] = got;
        }
        return seen;
    }
}
