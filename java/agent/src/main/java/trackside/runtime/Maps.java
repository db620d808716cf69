package trackside.runtime;

import java.util.Comparator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Concurrent maps, and properties, which have one inside, as the program uses them: what is under a key is a volatile variable. The map is called between two
 * probes, as an atomic variable is; only with keys that run no code of the program in between, or none but that of a record.
 */
public final class Maps {
    /** So many keys of a map are told apart; what is under others is not watched. */
    private static final int MOST_KEYS = 4096;

    private static final int MOST_TEXT = 40;
    /** Which keys there are: a variable of its own, once the program has asked how many. */
    private static final int KEYS = 0;

    private static final Accesses.Named UNDER_KEY = (shadow, place) -> place == KEYS
            ? "keys of " + shadow.name
            : shadow.name + "[" + textOf(ThreadLogs.current().key) + "]";

    private Maps() {}

    /** `value` is one that must not be null, if there is one. */
    public static void begin(Object map, Object key, Object value) {
        if (key == null || value == null || !isWatched(map, key) || ThreadLogs.current().atomic != null) return;
        ThreadLog thread = Atomics.enter();
        if (thread == null) return;
        Shadow shadow = WeakTable.of(thread, map, 16);
        Atomics.hold(thread, shadow, 0);
        if (shadow.elements == null) shadow.elements = ElementIndex.withReserved();
        int place = shadow.elements.place(key.hashCode(), MOST_KEYS);
        if (place < 0) {
            Atomics.done();
            return;
        }
        shadow.place(place);
        thread.testPlace = place;
        thread.key = key;
        thread.testObject = map;
        if (shadow.elements.isCounted) thread.wasThere = isThere(map, key);
    }

    public static void begin(Object map, Object key, Object value, Object other) {
        if (other != null) begin(map, key, value);
    }

    /** The keys of such a map, used as a set. */
    public static void beginSet(Object set, Object key) {
        Object map = mapOf(set);
        if (map != null) begin(map, key, key);
    }

    public static void readSet(Object set, int site) {
        Object map = mapOf(set);
        if (map != null) read(map, site);
    }

    public static void triedSet(boolean isDone, Object set, int site) {
        Object map = mapOf(set);
        if (map != null) tried(isDone, map, site);
    }

    /** Without a question whether it was there: then that was seen. */
    public static void removedSet(boolean isDone, Object set, int site) {
        Object map = mapOf(set);
        if (map != null) end(map, isDone ? Records.VOLATILE_CHANGE : Records.VOLATILE_READ, site);
    }

    /** A set that has a map for itself stands for it. */
    private static Object mapOf(Object set) {
        if (set instanceof ConcurrentHashMap.KeySetView<?, ?> view) return view.getMap();
        return set instanceof ConcurrentSkipListSet ? set : null;
    }

    /** A map has told, by their order, which of its keys is the next one. If it is still there, that is as if it had been asked now. */
    public static void chosen(Object found, Object map, int site) {
        if (found == null || !isSorted(map)) return;
        Object key = keyOf(found, map);
        begin(map, key, map);
        ThreadLog thread = ThreadLogs.current();
        if (thread.key == null || thread.atomic == null || thread.testObject != map) return;
        end(map, isThere(map, key) ? Records.VOLATILE_READ : Records.NOTHING, site);
    }

    /**
     * An entry that the program gets in an iteration, in a block. If the map still has that value, it is as if it had been asked now; else
     * others have changed it meanwhile, and nobody knows when.
     */
    public static void visited(Object entry, Object map) {
        ThreadLog thread = Probes.enter();
        int site = thread == null || thread.openBlocks == 0 ? 0 : Site.visit(CollectionCalls.place(thread));
        if (site == 0 || !(entry instanceof Map.Entry<?, ?> found)) return;
        begin(map, found.getKey(), map);
        if (thread.key == null || thread.atomic == null || thread.testObject != map) return;
        end(map, ((Map<?, ?>) map).get(thread.key) == found.getValue() ? Records.VOLATILE_READ : Records.NOTHING, site);
    }

    /** Before the first or the last one is taken out. */
    public static void polling(Object map) {
        if (!isSorted(map) || ThreadLogs.current().atomic != null || !isWatched(map, firstOf(map))) return;
        ThreadLog thread = Atomics.enter();
        if (thread == null) return;
        Shadow shadow = WeakTable.of(thread, map, 16);
        Atomics.hold(thread, shadow, 0);
        if (shadow.elements == null) shadow.elements = ElementIndex.withReserved();
        thread.testObject = map;
    }

    public static void polled(Object taken, Object map, int site) {
        ThreadLog thread = ThreadLogs.current();
        if (thread.atomic == null || thread.nested > 0 || thread.testObject != map) return;
        if (taken != null) {
            Object key = keyOf(taken, map);
            int place = thread.atomic.elements.place(key.hashCode(), MOST_KEYS);
            thread.key = key;
            if (place >= 0) {
                thread.atomic.place(place);
                Atomics.touch(thread, thread.atomic, map, place, site, Records.VOLATILE_CHANGE, UNDER_KEY);
            }
            thread.key = null;
            if (thread.atomic.elements.isCounted) touchKeys(thread, map, site + Site.NEXT, Records.VOLATILE_UPDATE);
        }
        Atomics.done();
    }

    private static Object keyOf(Object found, Object map) {
        return map instanceof Map && found instanceof Map.Entry<?, ?> entry ? entry.getKey() : found;
    }

    private static boolean isSorted(Object map) {
        return map instanceof ConcurrentSkipListMap || map instanceof ConcurrentSkipListSet;
    }

    private static Object firstOf(Object map) {
        try {
            return map instanceof ConcurrentSkipListMap<?, ?> known ? known.firstKey() : ((ConcurrentSkipListSet<?>) map).first();
        } catch (NoSuchElementException empty) {
            return null;
        }
    }

    /** Before the program asks how many keys there are. */
    public static void counting(Object asked) {
        Object map = asked instanceof Set ? mapOf(asked) : asked;
        boolean isConcurrent = map instanceof ConcurrentHashMap || map instanceof Properties || isSorted(map);
        if (!isConcurrent || !Signals.isOfJdk(map) || ThreadLogs.current().atomic != null) return;
        ThreadLog thread = Atomics.enter();
        if (thread == null) return;
        Shadow shadow = WeakTable.of(thread, map, 16);
        Atomics.hold(thread, shadow, KEYS);
        if (shadow.elements == null) shadow.elements = ElementIndex.withReserved();
        shadow.elements.isCounted = true;
        thread.testObject = map;
    }

    /** How many there are is often only told to somebody after something was put in: then nothing depends on it. */
    public static void counted(Object asked, int site) {
        ThreadLog thread = ThreadLogs.current();
        Object map = asked instanceof Set ? mapOf(asked) : asked;
        if (map == null || thread.atomic == null || thread.nested > 0 || thread.testObject != map) return;
        if (!Accesses.hasWritten(thread, thread.atomic, KEYS)) touchKeys(thread, map, site, Records.VOLATILE_READ);
        Atomics.done();
    }

    private static void touchKeys(ThreadLog thread, Object map, int site, int operation) {
        Atomics.touch(thread, thread.atomic, map, KEYS, site, operation, UNDER_KEY);
    }

    private static boolean isThere(Object map, Object key) {
        return map instanceof Map<?, ?> known ? known.containsKey(key) : ((Set<?>) map).contains(key);
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
        if (key == null || !Signals.isOfJdk(map)) return false;
        boolean isPlain = Signals.isOfJdk(key) || key instanceof Enum;
        if (map instanceof ConcurrentHashMap || map instanceof Properties) return isPlain || key instanceof Record || IDENTITIES.get(key.getClass());
        if (!isPlain || !isSorted(map)) return false;
        Comparator<?> order = map instanceof ConcurrentSkipListMap<?, ?> known
                ? known.comparator()
                : ((ConcurrentSkipListSet<?>) map).comparator();
        return order == null || Signals.isOfJdk(order);
    }

    /** Classes whose objects are equal only to themselves. */
    private static final ClassValue<Boolean> IDENTITIES = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            boolean wasBusy = Recorder.pause();
            try {
                return type.getMethod("hashCode").getDeclaringClass() == Object.class
                        && type.getMethod("equals", Object.class).getDeclaringClass() == Object.class;
            } catch (ReflectiveOperationException | LinkageError unknown) {
                return false;
            } finally {
                Recorder.resume(wasBusy);
            }
        }
    };

    private static void end(Object map, int operation, int site) {
        ThreadLog thread = ThreadLogs.current();
        if (thread.key == null || thread.atomic == null || thread.testObject != map) return;
        boolean isInVain = operation == Records.NOTHING && !Config.complete;
        int done = operation == Records.NOTHING ? Records.VOLATILE_READ : operation;
        if (!isInVain) Atomics.touch(thread, thread.atomic, map, thread.testPlace, site, done, UNDER_KEY);
        // What only reads has one place.
        boolean isCounted = done != Records.VOLATILE_READ && thread.atomic.elements.isCounted;
        if (isCounted && isThere(map, thread.key) != thread.wasThere)
            touchKeys(thread, map, site + Site.NEXT, Records.VOLATILE_UPDATE);
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
