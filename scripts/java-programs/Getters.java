import java.util.List;
import ognl.OgnlRuntime;

/** Threads that look up the same getters for the first time: each has to get the method. */
public class Getters {
    public static void main(String[] args) throws Exception {
        List<Class<?>> types = List.of(Thread.class, Runtime.class, String.class, StringBuilder.class, List.class, Class.class, Integer.class);
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (Class<?> type : types) {
                    try {
                        OgnlRuntime.getGetMethod(null, type, "class");
                    } catch (Exception broken) {
                        throw new AssertionError(broken);
                    }
                }
            });
            threads[t].start();
        }
        for (Thread each : threads) each.join();
        System.out.println("done");
    }
}
