import java.io.*;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.*;
import java.util.concurrent.locks.ReentrantLock;

/** Says everything about itself that must be the same whether it is watched or not. */
public class Faithful {
    static class Point implements Serializable {
        int x = 1;
        long y = 2L;
        double[] more = {1, 2, 3};
        transient String hidden = "h";
        volatile boolean flag;
    }

    static class Named extends Point {
        String name = "n";
    }

    /** Nothing in it is a reference, wherever one is looked for. */
    static class Numbers {
        long a = -5, b = -5, c = -5, d = -5, e = -5, f = -5, g = -5, h = -5;
    }

    record Pair(int a, String b) {}

    enum Colour {
        RED,
        GREEN {
            @Override
            int number() {
                return 2;
            }
        };

        int number() {
            return 1;
        }
    }

    interface Greeting {
        default String greet() {
            return "hello " + name();
        }

        String name();
    }

    static class First {
        static {
            System.out.println("First is initialised");
        }

        static int value = 7;
    }

    static class Second extends First {
        static {
            System.out.println("Second is initialised");
        }

        static int own = First.value + 1;
    }

    static class Base {
        Base() {
            describe();
        }

        void describe() {
            System.out.println("base");
        }
    }

    static class Derived extends Base {
        int field = 5;
        final int fixed;

        Derived(int fixed) {
            super();
            this.fixed = fixed;
        }

        @Override
        void describe() {
            System.out.println("derived " + field + " " + fixed);
        }
    }

    static int depth;
    static Point none;
    static int[] numbers = new int[3];
    static Object[] strings = new String[1];

    static void tell(String what, Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        System.out.println(what + ": " + thrown + " at " + (trace.length == 0 ? "?" : trace[0]) + " of " + trace.length);
    }

    static synchronized int throwing() {
        throw new IllegalStateException("in a synchronized method");
    }

    static int recursion() {
        depth++;
        return recursion() + 1;
    }

    public static void main(String[] args) throws Exception {
        for (Class<?> type : new Class<?>[] {Point.class, Named.class, Pair.class, Colour.class, Faithful.class}) {
            StringBuilder fields = new StringBuilder();
            for (Field field : type.getDeclaredFields())
                fields.append(' ').append(Modifier.toString(field.getModifiers())).append(' ').append(field.getName());
            System.out.println(type.getSimpleName() + fields + " | " + type.getFields().length + " "
                    + type.getDeclaredMethods().length + " " + type.getInterfaces().length);
        }
        System.out.println(ObjectStreamClass.lookup(Named.class).getSerialVersionUID());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new Named());
        }
        System.out.println(Arrays.hashCode(bytes.toByteArray()));
        Named copy = (Named) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        System.out.println(copy.x + " " + copy.y + " " + copy.name + " " + copy.hidden + " " + copy.more.length);

        System.out.println(Second.own);
        new Derived(3);
        System.out.println(new Pair(1, "b") + " " + new Pair(1, "b").equals(new Pair(1, "b")) + " " + Colour.GREEN.number());
        System.out.println(((Greeting) () -> "lambda").greet());

        try {
            System.out.println(none.x);
        } catch (NullPointerException expected) {
            tell("read of null", expected);
        }
        try {
            none.y = 3;
        } catch (NullPointerException expected) {
            tell("write to null", expected);
        }
        try {
            numbers[3]++;
        } catch (ArrayIndexOutOfBoundsException expected) {
            tell("index", expected);
        }
        try {
            strings[0] = 1;
        } catch (ArrayStoreException expected) {
            tell("store", expected);
        }
        strings[0] = "again";
        try {
            throwing();
        } catch (IllegalStateException expected) {
            tell("synchronized", expected);
        }
        VarHandle flag = MethodHandles.lookup().findVarHandle(Point.class, "flag", boolean.class);
        for (Object each : new Object[] {new Point(), new Numbers(), "text", null}) {
            try {
                flag.set(each, true);
                System.out.println("flag set");
            } catch (ClassCastException | NullPointerException expected) {
                System.out.println("flag: " + expected.getMessage());
            }
        }
        System.out.println(Thread.activeCount());
        System.out.println(Thread.holdsLock(Faithful.class));
        try {
            new Object().wait();
        } catch (IllegalMonitorStateException expected) {
            System.out.println("wait: " + expected.getMessage());
        }
        try {
            new ReentrantLock().unlock();
        } catch (IllegalMonitorStateException expected) {
            System.out.println("unlock: " + expected.getMessage());
        }
        try {
            synchronized (Point.class.cast(none)) {
                System.out.println("never");
            }
        } catch (NullPointerException expected) {
            System.out.println("monitor of null");
        }
        try {
            recursion();
        } catch (StackOverflowError expected) {
            System.out.println("stack overflow " + (depth > 500));
        }
        Thread twice = new Thread(() -> {});
        twice.start();
        twice.join();
        try {
            twice.start();
        } catch (IllegalThreadStateException expected) {
            System.out.println("started twice " + twice.getState());
        }
        Thread failing = new Thread(() -> {
            throw new RuntimeException("of a thread");
        });
        failing.setUncaughtExceptionHandler((thread, thrown) -> System.out.println("uncaught: " + thrown.getMessage()));
        failing.start();
        failing.join();
        long[] longs = new long[2];
        double[][] grid = new double[2][2];
        longs[1] += 5;
        grid[1][0]--;
        longs[0] = longs[1]++ + (long) grid[1][0];
        System.out.println(longs[0] + " " + longs[1] + " " + grid[1][0] + " " + longs.clone().length);
        Map<String, Integer> map = new TreeMap<>(new HashMap<>(Map.of("a", 1)));
        map.merge("a", 5, Integer::sum);
        System.out.println(map + " " + new StringBuffer("x").append(1).reverse());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("shutdown hook")));
        if (args.length > 0) throw new IllegalArgumentException("the program fails");
        System.exit(5);
    }
}
