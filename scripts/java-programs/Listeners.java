import org.apache.commons.lang3.event.EventListenerSupport;

/** Threads that add the same listener, which must not be there twice. */
public class Listeners {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 60; i++) {
            EventListenerSupport<Runnable> support = EventListenerSupport.create(Runnable.class);
            Runnable listener = () -> {};
            Thread[] threads = new Thread[3];
            for (int t = 0; t < threads.length; t++) {
                threads[t] = new Thread(() -> support.addListener(listener, false));
                threads[t].start();
            }
            for (Thread each : threads) each.join();
        }
        System.out.println("done");
    }
}
