package trackside.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Names of blocks. */
public final class Labels {
    private static final Map<String, Integer> numbers = new HashMap<>();
    private static final List<String> names = new ArrayList<>();

    /** By number. */
    private static volatile boolean[] waiting = new boolean[64];

    private Labels() {}

    public static synchronized int number(String name) {
        Integer known = numbers.get(name);
        if (known != null) return known;
        numbers.put(name, names.size());
        names.add(name);
        return names.size() - 1;
    }

    /** The block waits for what it gives to others to do. */
    public static synchronized void setWaits(int number) {
        if (waits(number)) return;
        boolean[] known = java.util.Arrays.copyOf(waiting, Math.max(waiting.length, 2 * number));
        known[number] = true;
        waiting = known;
    }

    static boolean waits(int number) {
        boolean[] known = waiting;
        return number < known.length && known[number];
    }

    static synchronized String name(int number) {
        return names.get(number);
    }
}
