import io.github.jamsesso.jsonlogic.JsonLogic;
import io.github.jamsesso.jsonlogic.JsonLogicException;

/** Threads that apply the same rules for the first time. */
public class Rules {
    public static void main(String[] args) throws Exception {
        JsonLogic logic = new JsonLogic();
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                try {
                    for (int i = 0; i < 60; i++) logic.apply("{\"+\": [" + i + ", 1]}", null);
                } catch (JsonLogicException broken) {
                    throw new AssertionError(broken);
                }
            });
            threads[t].start();
        }
        for (Thread each : threads) each.join();
        System.out.println("done");
    }
}
