package trackside.runtime;

import static trackside.runtime.Records.*;

import java.util.Map;

/**
 * Maps of java.util, and the sets that are made of them. To the program, what is under a key is a variable, and so is which keys there
 * are; how the map keeps them matters only where threads do not keep out of each other's way. So while there is a lock that everybody
 * has who uses the map, only the operations are told, else also what they do inside. Operations that overlap are not told: their order
 * is not known, but that of what they do inside is.
 */
public final class MapOperations {
    /** What is being done: something with one key or with all, or something that is made of such. */
    private static final int SIMPLE = 1;

    private static final int COMPOUND = 2;

    private static final Accesses.Named NAMES = (shadow, place) -> place == MapContent.KEYS
            ? "keys of " + shadow.name
            : shadow.name + "[" + Maps.textOf(ThreadLogs.current().key) + "]";

    private MapOperations() {}

    public static void looking(Object map) {
        begin(map, SIMPLE, false);
    }

    public static void changing(Object map) {
        begin(map, SIMPLE, true);
    }

    public static void trying(Object map) {
        begin(map, COMPOUND, true);
    }

    public static void found(Object map, Object key) {
        end(map, key, SIMPLE, VOLATILE_READ, false);
    }

    public static void put(Object map, Object key) {
        end(map, key, SIMPLE, VOLATILE_WRITE, false);
    }

    /** If it was not there, that was only seen. */
    public static void removed(Object map, Object key) {
        removed(map, key, SIMPLE);
    }

    public static void removedByCompound(Object map, Object key) {
        removed(map, key, COMPOUND);
    }

    private static void removed(Object map, Object key, int operation) {
        end(map, key, operation, hasGrown(map) ? VOLATILE_WRITE : VOLATILE_READ, false);
    }

    /** What is done only if something is, or is not, there: in vain, it was not done. */
    public static void tried(Object map, Object key) {
        end(map, key, COMPOUND, VOLATILE_WRITE, true);
    }

    public static void replaced(boolean isDone, Object map, Object key) {
        end(map, key, COMPOUND, isDone ? VOLATILE_WRITE : NOTHING, false);
    }

    public static void replaced(Object before, Object map, Object key) {
        replaced(before != null, map, key);
    }

    /** By a function of the program: such changes commute. */
    public static void computed(Object map, Object key) {
        end(map, key, COMPOUND, VOLATILE_UPDATE, false);
    }

    public static void computedIfAbsent(Object map, Object key) {
        end(map, key, COMPOUND, VOLATILE_UPDATE, true);
    }

    public static void computedIfPresent(Object result, Object map, Object key) {
        end(map, key, COMPOUND, VOLATILE_UPDATE, result == null);
    }

    /** The first or the last one is taken out, if there is one. */
    public static void polled(Object entry, Object map) {
        boolean isAny = entry instanceof Map.Entry;
        end(map, isAny ? ((Map.Entry<?, ?>) entry).getKey() : null, COMPOUND, isAny ? VOLATILE_WRITE : NOTHING, false);
    }

    /** The next one by the order of the keys, if there is one. */
    public static void chosen(Object entry, Object map) {
        if (entry != null) visited(entry, map);
        else lookedThroughInstead(map);
    }

    /** The next one in an iteration. */
    public static void visited(Object entry, Object map) {
        Object key = entry instanceof Map.Entry<?, ?> known ? known.getKey() : null;
        ThreadLog thread = Probes.enter();
        if (thread == null || !CollectionCalls.isDoing(thread, map, SIMPLE)) return;
        thread.busy = true;
        MapContent content = contentOf(thread, map);
        thread.busy = false;
        if (content != null) touch(thread, map, content, MapContent.KEYS, VOLATILE_READ);
        end(map, key, SIMPLE, VOLATILE_READ, false);
    }

    /** All of it is looked at. */
    public static void lookedThrough(Object map) {
        begin(map, SIMPLE, false);
        lookedThroughInstead(map);
    }

    /** Of something that has begun to look for one key. */
    private static void lookedThroughInstead(Object map) {
        ThreadLog thread = Probes.enter();
        if (thread == null || !CollectionCalls.isDoing(thread, map, SIMPLE)) return;
        MapContent content = leave(thread, map);
        if (content != null) touch(thread, map, content, MapContent.KEYS, VOLATILE_READ);
    }

    public static void cleared(Object map) {
        ThreadLog thread = Probes.enter();
        if (thread == null || !CollectionCalls.isDoing(thread, map, SIMPLE)) return;
        MapContent content = leave(thread, map);
        if (content == null) return;
        touch(thread, map, content, MapContent.KEYS, VOLATILE_WRITE);
        Shadow shadow = content.shadow;
        for (int place = 1; 2 * place < shadow.last.length; place++) {
            boolean isNamed = shadow.state != null && shadow.state[Shadow.PARTS * place + Shadow.VARIABLE] != 0;
            if (isNamed) touch(thread, map, content, place, VOLATILE_WRITE);
        }
    }

    private static void begin(Object map, int operation, boolean isChange) {
        if (Config.complete || Config.everything) return;
        ThreadLog thread = Probes.enter();
        if (thread == null || thread.speculation() != null || CollectionCalls.isDoing(thread)) return;
        if (thread.isFull()) thread.awaitRoom();
        thread.busy = true;
        try {
            MapContent content = contentFor(thread, map);
            if (content == null) return;
            Shadow shadow = content.shadow;
            shadow.lock();
            try {
                boolean isOwn = Accesses.isOwn(thread, shadow);
                if (isOwn) content.keepOnly(thread.transactionBegin);
                else if (!Accesses.shareUnlessInternal(thread, shadow, map)) return;
                boolean isLocked = !isOwn && content.isLocked(thread, isChange);
                if (!isLocked && content.user != Shadow.NOBODY && content.user != thread.id) return;
                content.user = thread.id;
                content.sizeBefore = sizeOf(map);
                CollectionCalls.begin(thread, map, operation, isLocked);
            } finally {
                shadow.unlock();
            }
        } finally {
            thread.busy = false;
        }
    }

    /** Null if there is no need to know. */
    private static MapContent contentFor(ThreadLog thread, Object map) {
        Shadow shadow = Objects.ofMonitor(thread, map);
        MapContent content = shadow.content;
        if (content != null) return content;
        int owner = shadow.owner;
        boolean isOwn = owner == Shadow.NOBODY || owner == thread.id;
        if (owner == Shadow.IGNORED || isOwn && thread.openBlocks == 0) return null;
        shadow.lock();
        try {
            if (shadow.content == null) {
                if (shadow.name == null) shadow.name = Names.ofObject(map);
                MapContent fresh = new MapContent();
                fresh.shadow.name = shadow.name;
                shadow.content = fresh;
            }
            return shadow.content;
        } finally {
            shadow.unlock();
        }
    }

    private static MapContent contentOf(ThreadLog thread, Object map) {
        return Objects.ofMonitor(thread, map).content;
    }

    private static int sizeOf(Object map) {
        return ((Map<?, ?>) map).size();
    }

    private static boolean hasGrown(Object map) {
        ThreadLog thread = Probes.enter();
        if (thread == null || !CollectionCalls.isDoing(thread)) return false;
        thread.busy = true;
        try {
            MapContent content = contentOf(thread, map);
            return content != null && sizeOf(map) != content.sizeBefore;
        } finally {
            thread.busy = false;
        }
    }

    private static MapContent leave(ThreadLog thread, Object map) {
        CollectionCalls.end(thread);
        thread.busy = true;
        MapContent content = contentOf(thread, map);
        thread.busy = false;
        if (content != null && content.user == thread.id) content.user = Shadow.NOBODY;
        return content;
    }

    private static void end(Object map, Object key, int operation, int access, boolean onlyIfGrown) {
        ThreadLog thread = Probes.enter();
        if (thread == null || !CollectionCalls.isDoing(thread, map, operation)) return;
        boolean hasGrown = hasGrown(map);
        MapContent content = leave(thread, map);
        if (content == null || access == NOTHING || onlyIfGrown && !hasGrown) return;
        int hash;
        thread.busy = true;
        try {
            hash = key == null ? 0 : key.hashCode();
        } catch (Throwable ofProgram) {
            return;
        } finally {
            thread.busy = false;
        }
        // They are one step: who comes after one of them comes after both. The second time is left out if nothing came in.
        if (hasGrown) touch(thread, map, content, MapContent.KEYS, VOLATILE_UPDATE);
        thread.key = key;
        touchKey(thread, map, content, hash, access);
        thread.key = null;
        if (hasGrown) touch(thread, map, content, MapContent.KEYS, VOLATILE_UPDATE);
    }

    private static void touchKey(ThreadLog thread, Object map, MapContent content, int hash, int access) {
        lock(thread, content.shadow);
        int place = content.place(hash, content.shadow.owner == thread.id);
        if (place > 0) touchLocked(thread, map, content.shadow, place, access);
        unlock(thread, content.shadow);
    }

    private static void touch(ThreadLog thread, Object map, MapContent content, int place, int access) {
        Shadow shadow = content.shadow;
        lock(thread, shadow);
        // What is only told to somebody after something was put in does not matter to what was done.
        boolean isIdle = place == MapContent.KEYS && access == VOLATILE_READ && Accesses.hasWritten(thread, shadow, place);
        if (!isIdle) touchLocked(thread, map, shadow, place, access);
        unlock(thread, shadow);
    }

    private static void touchLocked(ThreadLog thread, Object map, Shadow shadow, int place, int access) {
        Atomics.touch(thread, shadow, map, place, CollectionCalls.place(thread), access, NAMES);
    }

    private static void lock(ThreadLog thread, Shadow shadow) {
        if (thread.isFull()) thread.awaitRoom();
        thread.busy = true;
        shadow.lock();
    }

    private static void unlock(ThreadLog thread, Shadow shadow) {
        shadow.unlock();
        thread.busy = false;
    }
}
