package trackside.runtime;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets threads that do not run do what a file says, in that order, and has the runtime write it down: `thread operation
 * operand` a line. So the same execution can be written with and without what the runtime leaves out.
 */
public final class Replay {
    private static final Map<String, ThreadLog> threads = new HashMap<>();
    private static final Map<String, Shadow> shadows = new HashMap<>();
    private static final Map<String, Object> objects = new HashMap<>();

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < args.length; i += 2) {
            threads.clear();
            shadows.clear();
            objects.clear();
            Files.deleteIfExists(Path.of(args[i + 1]));
            FileChannel out = FileChannel.open(
                    Path.of(args[i + 1]), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            List<String> lines = Files.readAllLines(Path.of(args[i]));
            for (String line : lines) step(line.split(" "));
            // Only now, so that the merger is at liberty to go as far with one thread as it may.
            Probes.isOff = false;
            Merger merger = new Merger(new TrkWriter(out));
            merger.start();
            merger.finish();
        }
    }

    private static void step(String[] words) {
        ThreadLog thread = log(words[0]);
        String operand = words.length > 2 ? words[2] : "";
        switch (words[1]) {
            case "r" -> access(thread, operand, false);
            case "w" -> access(thread, operand, true);
            case "acq" -> Monitors.acquired(thread, object(operand), 1, 0);
            case "rel" -> Monitors.releasing(thread, object(operand), 1, 0);
            case "begin" -> {
                thread.epoch++;
                if (thread.openBlocks++ == 0) thread.transaction = thread.epoch;
                thread.add(Records.first(Records.BEGIN, 0, Labels.number(operand)), Records.second(Records.NO_KEY, 0));
            }
            case "end" -> {
                thread.openBlocks--;
                thread.add(Records.first(Records.END, 0, 0), Records.second(Records.NO_KEY, 0));
            }
            default -> throw new IllegalArgumentException(words[1]);
        }
    }

    private static ThreadLog log(String name) {
        return threads.computeIfAbsent(name, key -> ThreadLogs.of(new Thread(key), false));
    }

    private static Object object(String name) {
        return objects.computeIfAbsent(name, key -> new Object());
    }

    private static void access(ThreadLog thread, String variable, boolean isWrite) {
        Shadow shadow = shadows.computeIfAbsent(variable, key -> new Shadow(1));
        if (Accesses.isOwn(thread, shadow)) {
            Accesses.remember(thread, shadow, 0, isWrite, 0);
            return;
        }
        Accesses.share(thread, shadow, object(variable));
        Accesses.Named names = (of, place) -> variable;
        if (isWrite) Accesses.write(thread, shadow, 0, 0, Records.WRITE, names);
        else Accesses.read(thread, shadow, 0, 0, Records.READ, names);
    }
}
