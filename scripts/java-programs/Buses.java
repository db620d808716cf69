import com.squareup.otto.Bus;
import com.squareup.otto.Subscribe;
import com.squareup.otto.ThreadEnforcer;

/** Threads that register subscribers of the same events: each has to get what is posted afterwards. */
public class Buses {
    public static class Subscriber {
        @Subscribe
        public void on(String event) {}
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 100; i++) {
            Bus bus = new Bus(ThreadEnforcer.ANY);
            Thread[] threads = new Thread[3];
            for (int t = 0; t < threads.length; t++) {
                threads[t] = new Thread(() -> bus.register(new Subscriber()));
                threads[t].start();
            }
            for (Thread each : threads) each.join();
            bus.post("event");
        }
        System.out.println("done");
    }
}
