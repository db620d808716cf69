package trackside.runtime;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Concurrent maps, as the program uses them: what is under a key is a volatile variable. The map is called between two
 * probes, as an atomic variable is; only with keys of the JDK, as those of the program would run its code in between.
 */
public final class Maps {
    /** So many keys of a map are told apart; what is under others is not watched. */
    private static final int MOST_KEYS = 4096;

    private static final int MOST_TEXT = 40;
    private static final Accesses.Named UNDER_KEY =
            (shadow, place) -> shadow.name + "[" + textOf(ThreadLogs.current().key) + "]";

    private Maps() {}

    /** `value` is one that must not be null, if there is one. */
    public static void begin(Object map, Object key, Object value) {
        if (key == null || value == null || !isWatched(map, key) || ThreadLogs.current().atomic != null) return;
        ThreadLog thread = Atomics.enter();
        if (thread == null) return;
        Shadow shadow = WeakTable.of(thread, map, 16);
        Atomics.hold(thread, shadow, 0);
        if (shadow.elements == null) shadow.elements = new ElementIndex();
        int place = shadow.elements.place(key.hashCode(), MOST_KEYS);
        if (place < 0) {
            Atomics.done();
            return;
        }
        shadow.place(place);
        thread.testPlace = place;
        thread.key = key;
        thread.testObject = map;
    }

    public static void begin(Object map, Object key, Object value, Object other) {
        if (other != null) begin(map, key, value);
    }

    /** The keys of such a map, used as a set. */
    public static void beginSet(Object set, Object key) {
        if (set instanceof ConcurrentHashMap.KeySetView<?, ?> view) begin(view.getMap(), key, key);
    }

    public static void readSet(Object set, int site) {
        if (set instanceof ConcurrentHashMap.KeySetView<?, ?> view) read(view.getMap(), site);
    }

    public static void triedSet(boolean isDone, Object set, int site) {
        if (set instanceof ConcurrentHashMap.KeySetView<?, ?> view) tried(isDone, view.getMap(), site);
    }

    public static void read(Object map, int site) {
        end(map, Records.VOLATILE_READ, site);
    }

    public static void put(Object map, int site) {
        end(map, Records.VOLATILE_CHANGE, site);
    }

    /** What is done only if something is, or is not, there: in vain, it was not done. */
    public static void tried(boolean isDone, Object map, int site) {
        end(map, isDone ? Records.VOLATILE_CHANGE : Records.NOTHING, site);
    }

    public static void triedIfAbsent(Object before, Object map, int site) {
        tried(before == null, map, site);
    }

    public static void removed(Object before, Object map, int site) {
        end(map, before != null ? Records.VOLATILE_CHANGE : Records.VOLATILE_READ, site);
    }

    /** Before a function of the program may be called: whether it will be. */
    public static void computing(Object map, Object key) {
        ThreadLog thread = ThreadLogs.current();
        thread.isComputed = key != null && isWatched(map, key) && ((Map<?, ?>) map).get(key) == null;
    }

    public static void computedIfAbsent(Object result, Object map, Object key, int site) {
        if (result != null && ThreadLogs.current().isComputed) computed(result, map, key, site);
    }

    /** Told afterwards, as the function of the program runs inside; such changes commute with each other. */
    public static void computed(Object result, Object map, Object key, int site) {
        if (result == null) return;
        begin(map, key, map);
        end(map, Records.VOLATILE_UPDATE, site);
    }

    private static boolean isWatched(Object map, Object key) {
        if (!Signals.isOfJdk(map) || !Signals.isOfJdk(key)) return false;
        if (map instanceof ConcurrentHashMap) return true;
        if (!(map instanceof ConcurrentSkipListMap<?, ?> sorted)) return false;
        return sorted.comparator() == null || Signals.isOfJdk(sorted.comparator());
    }

    private static void end(Object map, int operation, int site) {
        ThreadLog thread = ThreadLogs.current();
        if (thread.key == null || thread.atomic == null || thread.testObject != map) return;
        boolean isInVain = operation == Records.NOTHING && !Config.complete;
        int done = operation == Records.NOTHING ? Records.VOLATILE_READ : operation;
        if (!isInVain) Atomics.touch(thread, thread.atomic, map, thread.testPlace, site, done, UNDER_KEY);
        thread.key = null;
        Atomics.done();
    }

    static String textOf(Object key) {
        if (key == null) return "null";
        if (key instanceof String text)
            return "\"" + (text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) + "…" : text) + "\"";
        boolean isPlain = key instanceof Number || key instanceof Character || key instanceof Boolean;
        return isPlain ? key.toString() : key.getClass().getSimpleName() + "#" + Integer.toHexString(key.hashCode());
    }
}
