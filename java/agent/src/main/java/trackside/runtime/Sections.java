package trackside.runtime;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/** What is told of the program's code besides its events: sections of the trace, each a list in JSON, behind which the events come. */
public final class Sections {
    static final String NAME = "java.code";
    static final int VERSION = 1;

    private static final ArrayDeque<String> waiting = new ArrayDeque<>();
    private static final int LONGEST = 1 << 20;

    private Sections() {}

    public static synchronized void add(String json) {
        waiting.add(json);
    }

    /** The next section; null if there is nothing to tell. */
    static synchronized byte[] take() {
        if (waiting.isEmpty()) return null;
        StringBuilder text = new StringBuilder("[");
        while (!waiting.isEmpty() && text.length() < LONGEST) {
            if (text.length() > 1) text.append(',');
            text.append(waiting.poll());
        }
        return text.append(']').toString().getBytes(StandardCharsets.UTF_8);
    }
}
