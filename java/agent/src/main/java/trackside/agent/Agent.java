package trackside.agent;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import trackside.runtime.Config;
import trackside.runtime.Notes;
import trackside.runtime.Recorder;

/** Where the JVM begins, before the program does. */
public final class Agent {
    private Agent() {}

    public static void premain(String text, Instrumentation instrumentation) {
        try {
            start(Options.parse(text), instrumentation);
        } catch (Throwable broken) {
            // The program runs all the same, and whoever started it learns that it was not watched.
            System.err.println("trackside: the program is not watched: " + broken);
            if (System.getenv("TRACKSIDE_DEBUG") != null) broken.printStackTrace();
        }
    }

    private static void start(Options options, Instrumentation instrumentation) throws Exception {
        Module ours = Agent.class.getModule();
        Module base = Object.class.getModule();
        instrumentation.redefineModule(
                base, Set.of(), Map.of("jdk.internal.misc", Set.of(ours)), Map.of(), Set.of(), Map.of());
        Config.coarseArrays = options.coarseArrays;
        Config.complete = options.complete;
        Config.everything = options.everything;
        Config.provokes = options.provokes;
        Config.statistics = options.statistics;
        long pid = Recorder.pid();
        if (options.notes != null) Notes.writeTo(options.notes);
        else if (options.connect != null) Notes.writeTo(options.connect + "." + pid + ".notes");
        if (options.connect != null) Recorder.toReader(options.connect, options.parent, programName());
        else if (options.record != null) Recorder.toFile(options.record.replace("%p", Long.toString(pid)));
        else throw new IllegalArgumentException("neither record=<file> nor connect=<socket> is given");

        Watcher watcher = new Watcher(options);
        JdkHooks.read(options.watchesJdk);
        Set<Class<?>> hooked = JdkHooks.load();
        instrumentation.addTransformer(watcher, true);
        watcher.retransformLoaded(instrumentation, hooked);
        Recorder.begin();
    }

    /** The main class, or the name of the jar. */
    private static String programName() {
        String command = System.getProperty("sun.java.command", "").trim();
        int space = command.indexOf(' ');
        String first = space < 0 ? command : command.substring(0, space);
        if (first.isEmpty()) return "java";
        return first.endsWith(".jar") ? first.substring(first.lastIndexOf('/') + 1) : first;
    }
}
