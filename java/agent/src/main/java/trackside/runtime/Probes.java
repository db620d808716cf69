package trackside.runtime;

import static trackside.runtime.Records.*;

/**
 * What instrumented code calls. Between {@code read} or {@code write} and {@code done} stands the access itself, and its
 * shadow is locked; nothing else happens there. A thread has at most one shadow locked: if an access was thrown out of, the
 * next probe of the thread unlocks it.
 */
public final class Probes {
    /** Nothing is written any more. */
    static volatile boolean isOff = true;

    static final Accesses.Named ELEMENT = (shadow, place) -> shadow.name + "[" + (shadow.base + place) + "]";
    private static final Accesses.Named WHOLE = (shadow, place) -> "elements of " + shadow.name;
    /** Larger arrays are watched piece by piece. */
    static final int LARGE = 256;

    private Probes() {}

    /** The log of the thread, if what it does now is to be watched. */
    static ThreadLog enter() {
        if (isOff) return null;
        ThreadLog thread = ThreadLogs.current();
        if (thread.busy) return null;
        return thread.held == null || heal(thread) ? thread : null;
    }

    /** Puts right what the last probe left; false if the thread is still waiting. */
    private static boolean heal(ThreadLog thread) {
        Object held = thread.held;
        if (held instanceof Shadow shadow) {
            thread.held = null;
            shadow.unlock();
            return true;
        }
        if (!Monitors.isBack(thread)) return false;
        thread.held = null;
        Monitors.afterWait(thread);
        return true;
    }

    /** After the access. */
    public static void done() {
        ThreadLog thread = ThreadLogs.current();
        Object held = thread.held;
        if (held == null || thread.busy) return;
        thread.held = null;
        if (held instanceof Shadow shadow) shadow.unlock();
        else thread.held = held;
    }

    public static void readField(Object object, int site) {
        if (object == null) return;
        ThreadLog thread = enter();
        if (thread == null || isSpeculative(thread, object, Speculation.FIELD, site)) return;
        field(thread, object, site, false);
    }

    /** A read that counts only for those who ask what a thread knows: it is going to be repeated under a lock. */
    public static void lookAtField(Object object, int site) {
        if (Config.complete || Config.everything) readField(object, site);
    }

    public static void lookAtStatic(int site) {
        if (Config.complete || Config.everything) readStatic(site);
    }

    /** What is read from here to {@link #endLook} is going to be read again, under a lock. */
    public static void beginLook() {
        ThreadLog thread = enter();
        if (thread != null && thread.speculation == null && !Config.complete && !Config.everything)
            thread.speculation = Speculation.LOOK;
    }

    public static void endLook() {
        ThreadLog thread = enter();
        if (thread != null && thread.speculation == Speculation.LOOK) thread.speculation = null;
    }

    public static void writeField(Object object, int site) {
        if (object == null) return;
        ThreadLog thread = enter();
        if (thread != null) field(thread, object, site, true);
    }

    private static boolean isSpeculative(ThreadLog thread, Object object, int index, int site) {
        return thread.speculation != null && thread.speculation.add(object, index, site);
    }

    private static void field(ThreadLog thread, Object object, int site, boolean isWrite) {
        if (CollectionCalls.isCovered(thread, site)) return;
        FieldRef field = Site.of(site).field;
        if (field.status != FieldRef.WATCHED && !isWatched(thread, field, object)) return;
        site = CollectionCalls.site(thread, site);
        Shadow shadow = field.shadow(thread, object);
        if (Config.provokes != 0) Provocation.before(thread, shadow, isWrite, site);
        shadow.lock();
        thread.held = shadow;
        int place = field.place;
        if (2 * place >= shadow.last.length) shadow.place(place);
        if (Accesses.isOwn(thread, shadow)) Accesses.remember(thread, shadow, place, isWrite, site);
        else if (!Accesses.isRepeated(thread, shadow, place, isWrite))
            shared(thread, shadow, object, place, isWrite, field.isVolatile, site, field);
    }

    static boolean isWatched(ThreadLog thread, FieldRef field, Object object) {
        if (field.status == FieldRef.UNKNOWN) {
            thread.busy = true;
            try {
                field.link(object);
            } finally {
                thread.busy = false;
            }
        }
        return field.status == FieldRef.WATCHED;
    }

    public static void readStatic(int site) {
        staticField(site, false);
    }

    public static void writeStatic(int site) {
        staticField(site, true);
    }

    private static void staticField(int site, boolean isWrite) {
        ThreadLog thread = enter();
        if (thread == null || !isWrite && isSpeculative(thread, null, Speculation.STATIC, site)) return;
        FieldRef field = Site.of(site).field;
        if (field.status != FieldRef.WATCHED && !isWatched(thread, field, null)) return;
        Shadow shadow = field.statics;
        if (Config.complete) Initialisations.before(thread, shadow);
        if (Config.provokes != 0) Provocation.before(thread, shadow, isWrite, site);
        shadow.lock();
        thread.held = shadow;
        if (Accesses.isOwn(thread, shadow)) Accesses.remember(thread, shadow, field.place, isWrite, site);
        else shared(thread, shadow, null, field.place, isWrite, field.isVolatile, site, field);
    }

    /** A variable that belongs to no object. */
    static void access(Shadow shadow, int place, boolean isWrite, int site, Accesses.Named names) {
        ThreadLog thread = enter();
        if (thread == null) return;
        shadow.lock();
        thread.held = shadow;
        if (Accesses.isOwn(thread, shadow)) Accesses.remember(thread, shadow, place, isWrite, site);
        else shared(thread, shadow, null, place, isWrite, false, site, names);
    }

    private static void shared(
            ThreadLog thread,
            Shadow shadow,
            Object object,
            int place,
            boolean isWrite,
            boolean isVolatile,
            int site,
            Accesses.Named names) {
        thread.busy = true;
        try {
            if (thread.isFull()) {
                shadow.unlock();
                thread.awaitRoom();
                shadow.lock();
            }
            if (!Accesses.shareUnlessInternal(thread, shadow, object)) return;
            int operation = isVolatile ? isWrite ? VOLATILE_WRITE : VOLATILE_READ : isWrite ? WRITE : READ;
            if (isWrite) Accesses.write(thread, shadow, place, site, operation, names);
            else Accesses.read(thread, shadow, place, site, operation, names);
        } finally {
            thread.busy = false;
        }
    }

    public static void readElement(Object array, int index, int site) {
        if (array == null) return;
        ThreadLog thread = enter();
        if (thread == null || isSpeculative(thread, array, index, site)) return;
        element(thread, array, index, site, false);
    }

    public static void writeElement(Object array, int index, int site) {
        if (array == null) return;
        ThreadLog thread = enter();
        if (thread != null) element(thread, array, index, site, true);
    }

    private static void element(ThreadLog thread, Object array, int index, int site, boolean isWrite) {
        int length = java.lang.reflect.Array.getLength(array);
        if (index < 0 || index >= length || CollectionCalls.isCovered(thread, site)) return;
        site = CollectionCalls.site(thread, site);
        boolean isCoarse = Config.coarseArrays;
        boolean isLarge = length > LARGE && !isCoarse;
        Shadow shadow = WeakTable.of(thread, array, isCoarse ? 1 : isLarge ? 0 : length);
        int place = isCoarse ? 0 : index;
        if (isLarge) {
            shadow = Pieces.of(thread, shadow, index, length);
            if (shadow == null) return;
            place = Pieces.place(index);
        }
        if (Config.provokes != 0) Provocation.before(thread, shadow, isWrite, site);
        shadow.lock();
        thread.held = shadow;
        if (2 * place >= shadow.last.length) shadow.place(isCoarse ? 0 : length - 1);
        if (Accesses.isOwn(thread, shadow)) Accesses.remember(thread, shadow, place, isWrite, site);
        else if (!Accesses.isRepeated(thread, shadow, place, isWrite))
            shared(thread, shadow, array, place, isWrite, false, site, isCoarse ? WHOLE : ELEMENT);
    }

    /** An object was copied field by field. */
    public static void cloned(Object copy, Object original) {
        ThreadLog thread = enter();
        if (thread == null || copy == null || copy == original) return;
        thread.busy = true;
        Objects.forget(copy, original);
        thread.busy = false;
    }

    /** A block begins. */
    public static void begin(int label, int site) {
        ThreadLog thread = enter();
        if (thread == null) return;
        if (thread.isFull()) thread.awaitRoom();
        thread.begin(label, site);
    }

    public static void end() {
        ThreadLog thread = enter();
        if (thread == null || thread.openBlocks == 0) return;
        thread.end();
        if (thread.openBlocks == 0) thread.speculation = null;
    }
}
