import com.cedarsoftware.util.ConcurrentHashMapNullSafe;

/** Threads that ask one map for what it has or can compute: what cannot be computed must not remove what another thread has put there. */
public class NullSafeMaps {
    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        ConcurrentHashMapNullSafe<String, Integer> map = new ConcurrentHashMapNullSafe<>();
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            boolean isKnown = t > 0;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < rounds; i++) map.computeIfAbsent("key" + i, key -> isKnown ? key.length() : null);
            });
            threads[t].start();
        }
        for (Thread each : threads) each.join();
        System.out.println("done");
    }
}
