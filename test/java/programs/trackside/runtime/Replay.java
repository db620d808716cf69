package trackside.runtime;

import java.io.FileOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets threads that do not run do what a file says, in that order, and has the runtime write it down: `thread operation
 * operand` a line. So the same execution can be written with and without what the runtime leaves out.
 */
public final class Replay {
    /** Tables by number of the thread grow, and what is known of single readers and in other logs is known of some numbers only. */
    private static final int[] FIRST_NUMBERS = {0, 9, 62, Unwritten.MOST_THREADS - 2};

    private static final Map<String, ThreadLog> threads = new HashMap<>();
    private static final Map<String, Shadow> shadows = new HashMap<>();
    private static final Map<String, Object> objects = new HashMap<>();

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < args.length; i += 2) {
            threads.clear();
            ThreadLogs.count = FIRST_NUMBERS[i / 2 % FIRST_NUMBERS.length];
            shadows.clear();
            objects.clear();
            Files.deleteIfExists(Path.of(args[i + 1]));
            FileOutputStream out = new FileOutputStream(args[i + 1]);
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
            case "vr" -> change(thread, operand, Records.VOLATILE_READ);
            case "vw" -> change(thread, operand, Records.VOLATILE_WRITE);
            case "vu" -> change(thread, operand, Records.VOLATILE_UPDATE);
            case "acq" -> Monitors.acquired(thread, object(operand), 1, 0);
            case "rel" -> Monitors.releasing(thread, object(operand), 1, 0);
            case "notify" -> Signals.add(thread, shadow(operand), object(operand), Records.NOTIFY, 0);
            case "wait" -> Signals.add(thread, shadow(operand), object(operand), Records.WAIT, 0);
            case "fork" -> Threads.forked(thread, log(operand));
            case "join" -> {
                log(operand).isOver = true;
                Threads.joined(thread, log(operand));
            }
            case "begin" -> thread.begin(Labels.number(operand), 0);
            case "end" -> thread.end();
            case "split" -> thread.split(0);
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
        // Two variables an object.
        int number = variable.charAt(1) - '0';
        int place = number % 2;
        Shadow shadow = shadow("x" + (number - place));
        // Threads that do not run need not be stopped; the rest is as in a program.
        thread.leaseWait = 0;
        shadow.readsToCommon = 1;
        shadow.readsToRemember = Math.min(shadow.readsToRemember, number / 2);
        if (Leases.enter(thread, shadow, 2 * place + (isWrite ? 0 : 1), 0)) {
            Leases.leave(thread);
            return;
        }
        if (Accesses.isOwn(thread, shadow)) {
            Probes.own(thread, shadow, place, isWrite, 0);
            return;
        }
        if (Accesses.isRepeated(thread, shadow, place, isWrite)) return;
        Accesses.share(thread, shadow, object(variable));
        Accesses.Named names = (of, each) -> variable;
        Ordered.access(thread, shadow, place, isWrite, 0, isWrite ? Records.WRITE : Records.READ, names);
    }

    private static Shadow shadow(String name) {
        return shadows.computeIfAbsent(name, key -> new Shadow(2));
    }

    /** Of those called u, two are in one object, as in an array. */
    private static void change(ThreadLog thread, String variable, int operation) {
        int number = variable.charAt(1) - '0';
        int place = variable.charAt(0) == 'u' ? number % 2 : 0;
        Shadow shadow = shadow(variable.charAt(0) + "" + (number - place));
        Accesses.Named names = (of, each) -> variable;
        shadow.readsToRemember = 0;
        Atomics.touch(thread, shadow, object(variable), place, 0, operation, names);
    }
}
