import io.hypersistence.tsid.TSID;

/** Threads that ask one factory for ids. */
public class Tsids {
    public static void main(String[] args) throws Exception {
        TSID.Factory factory = TSID.Factory.builder().withNode(1).build();
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 300; i++) factory.generate();
            });
            threads[t].start();
        }
        for (Thread each : threads) each.join();
        System.out.println("done");
    }
}
