import java.lang.reflect.Method;

/** Threads that get caches by the same names; the class has moved from one package to another. */
public class BeanCaches {
    public static void main(String[] args) throws Exception {
        Method get = Class.forName(args[0]).getMethod("getCacheManager", String.class);
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    try {
                        get.invoke(null, "cache" + i);
                    } catch (ReflectiveOperationException broken) {
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
