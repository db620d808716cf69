import java.nio.file.Files;
import java.nio.file.Path;
import org.stringtemplate.v4.STGroupFile;

/** Threads that ask for the same template of a file that has not been read yet. */
public class Templates {
    public static void main(String[] args) throws Exception {
        Path file = Files.createTempFile("templates", ".stg");
        Files.writeString(file, "hello(name) ::= \"hello <name>\"\n");
        for (int i = 0; i < 40; i++) {
            STGroupFile group = new STGroupFile(file.toString());
            Thread[] threads = new Thread[3];
            for (int t = 0; t < threads.length; t++) {
                threads[t] = new Thread(() -> group.getInstanceOf("hello"));
                threads[t].start();
            }
            for (Thread each : threads) each.join();
        }
        Files.delete(file);
        System.out.println("done");
    }
}
