package trackside.runtime;

import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;

/** What is not watched, and why: sentences for the report, in a file that stays when the process is killed. */
public final class Notes {
    private static String path;
    private static final java.util.HashSet<String> said = new java.util.HashSet<>();

    private Notes() {}

    /** Null: to standard error. */
    public static void writeTo(String file) {
        path = file;
    }

    public static void say(String sentence) {
        byte[] line = (sentence.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (said) {
            if (path == null) {
                System.err.print("trackside: " + new String(line, StandardCharsets.UTF_8));
                return;
            }
            try (FileOutputStream out = new FileOutputStream(path, true)) {
                out.write(line);
            } catch (java.io.IOException lost) {
                System.err.print("trackside: " + new String(line, StandardCharsets.UTF_8));
            }
        }
    }

    public static void once(String what, String sentence) {
        ThreadLog thread = ThreadLogs.current();
        boolean wasBusy = thread.busy;
        thread.busy = true;
        try {
            synchronized (said) {
                if (!said.add(what)) return;
            }
            say(sentence);
        } finally {
            thread.busy = wasBusy;
        }
    }
}
