import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;

/** Threads that register listeners of the same events. */
public class EventBuses {
    public static class Listener {
        @Subscribe
        public void on(String event) {}
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 60; i++) {
            EventBus bus = new EventBus();
            Thread[] threads = new Thread[3];
            for (int t = 0; t < threads.length; t++) {
                threads[t] = new Thread(() -> bus.register(new Listener()));
                threads[t].start();
            }
            for (Thread each : threads) each.join();
            bus.post("event");
        }
        System.out.println("done");
    }
}
