import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;

/** Threads that read schemas with the same unknown keywords: each of these is to be warned of once. */
public class Schemas {
    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        JsonSchemaFactory factory = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7);
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < rounds; i++) factory.getSchema("{\"type\": \"object\", \"unheard" + i + "\": true}");
            });
            threads[t].start();
        }
        for (Thread each : threads) each.join();
        System.out.println("done");
    }
}
