package trackside.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Names of blocks. */
public final class Labels {
    private static final Map<String, Integer> numbers = new HashMap<>();
    private static final List<String> names = new ArrayList<>();

    private Labels() {}

    public static synchronized int number(String name) {
        Integer known = numbers.get(name);
        if (known != null) return known;
        numbers.put(name, names.size());
        names.add(name);
        return names.size() - 1;
    }

    static synchronized String name(int number) {
        return names.get(number);
    }
}
