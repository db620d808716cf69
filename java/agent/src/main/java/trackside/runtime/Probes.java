package trackside.runtime;

import static trackside.runtime.Records.*;

import jdk.internal.vm.annotation.DontInline;

/**
 * What instrumented code calls. Between {@code read} or {@code write} and {@code done} stands the access itself, and its
 * shadow is locked; nothing else happens there. A thread has at most one shadow locked: if an access was thrown out of, or if the
 * code goes straight on to another one, the next probe of the thread unlocks it.
 */
public final class Probes {
    /** Nothing is written any more. */
    static volatile boolean isOff = true;

    /** Where in {@link Shadow#last} an access of either kind is. */
    private static final int WRITE_KIND = 0;

    private static final int READ_KIND = 1;

    private Probes() {}

    /** The log of the thread, if what it does now is to be watched. */
    static ThreadLog enter() {
        if (isOff) return null;
        ThreadLog thread = ThreadLogs.current();
        if (thread.busy) return null;
        // What came before is over, whether it was left by an exception or has no probe of its own behind it.
        Leases.leave(thread);
        return thread.held() == null || heal(thread) ? thread : null;
    }

    /** The log of the thread, if there is nothing to put right before an access of its own; null otherwise. */
    private static ThreadLog quick(Object lane) {
        if (lane == null) return null;
        ThreadLog thread = ((ThreadLog) lane).current;
        return thread.isHindered ? null : thread;
    }

    /** What the program's methods keep for their probes; null if it is not known yet. */
    public static Object lane() {
        return isOff ? null : ThreadLogs.current().base;
    }

    /** Puts right what the last probe left; false if the thread is still waiting. */
    private static boolean heal(ThreadLog thread) {
        Object held = thread.held();
        if (held instanceof Shadow shadow) {
            thread.setHeld(null);
            shadow.unlock();
            return true;
        }
        if (!Monitors.isBack(thread)) return false;
        thread.setHeld(null);
        Monitors.afterWait(thread);
        return true;
    }

    /** After the access. */
    public static void done(Object lane) {
        if (lane == null) {
            done();
            return;
        }
        ThreadLog thread = ((ThreadLog) lane).current;
        Leases.leave(thread);
        if (thread.isHindered) unlock(thread);
    }

    /** The same, for code of the JDK. */
    @DontInline
    public static void done() {
        ThreadLog thread = ThreadLogs.current();
        Leases.leave(thread);
        if (thread.held() != null) unlock(thread);
    }

    @DontInline
    private static void unlock(ThreadLog thread) {
        Object held = thread.held();
        if (thread.busy || held == null) return;
        thread.setHeld(null);
        if (held instanceof Shadow shadow) shadow.unlock();
        else thread.setHeld(held);
    }

    public static void readField(Object object, int site, Object lane) {
        ThreadLog thread = quick(lane);
        if (thread == null || !isOwn(thread, object, site, READ_KIND)) readField(object, site);
    }

    @DontInline
    public static void readField(Object object, int site) {
        ThreadLog thread = enter();
        if (thread == null || object == null || isSpeculative(thread, object, Speculation.FIELD, site)) return;
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
        if (thread != null && thread.speculation() == null && !Config.complete && !Config.everything)
            thread.setSpeculation(Speculation.LOOK);
    }

    public static void endLook() {
        ThreadLog thread = enter();
        if (thread != null && thread.speculation() == Speculation.LOOK) thread.setSpeculation(null);
    }

    public static void writeField(Object object, int site, Object lane) {
        ThreadLog thread = quick(lane);
        if (thread == null || !isOwn(thread, object, site, WRITE_KIND)) writeField(object, site);
    }

    @DontInline
    public static void writeField(Object object, int site) {
        ThreadLog thread = enter();
        if (thread != null && object != null) field(thread, object, site, true);
    }

    /** Whether an object is the thread's own; then the access may take place. */
    private static boolean isOwn(ThreadLog thread, Object object, int site, int kind) {
        if (object == null) return false;
        FieldRef field = Site.of(site).field;
        Shadow shadow = field.quickShadow(object);
        return shadow != null && Leases.enter(thread, shadow, 2 * field.quickPlace() + kind, site);
    }

    private static boolean isOwnStatic(ThreadLog thread, int site, int kind) {
        FieldRef field = Site.of(site).field;
        Shadow shadow = field.quickStatics();
        return shadow != null && Leases.enter(thread, shadow, 2 * field.place + kind, site);
    }

    /** Of the owner, with the shadow locked. */
    static void own(ThreadLog thread, Shadow shadow, int place, boolean isWrite, int site) {
        Accesses.remember(thread, shadow, place, isWrite, site);
        shadow.uses++;
        if (shadow.lease != thread.lease) Leases.take(thread, shadow);
    }

    private static boolean isSpeculative(ThreadLog thread, Object object, int index, int site) {
        return thread.speculation() != null && thread.speculation().add(object, index, site);
    }

    private static void field(ThreadLog thread, Object object, int site, boolean isWrite) {
        if (CollectionCalls.isCovered(thread, site)) return;
        FieldRef field = Site.of(site).field;
        if (field.status != FieldRef.WATCHED && !isWatched(thread, field, object)) return;
        site = CollectionCalls.site(thread, site);
        Shadow shadow = field.shadow(thread, object);
        if (Leases.enter(thread, shadow, 2 * field.place + (isWrite ? WRITE_KIND : READ_KIND), site)) return;
        if (Config.provokes != 0) Provocation.before(thread, shadow, isWrite, site);
        shadow.lock();
        thread.setHeld(shadow);
        int place = field.place;
        if (2 * place >= shadow.last.length) shadow.place(place);
        if (Accesses.isOwn(thread, shadow)) own(thread, shadow, place, isWrite, site);
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

    public static void readStatic(int site, Object lane) {
        ThreadLog thread = quick(lane);
        if (thread == null || !isOwnStatic(thread, site, READ_KIND)) readStatic(site);
    }

    public static void writeStatic(int site, Object lane) {
        ThreadLog thread = quick(lane);
        if (thread == null || !isOwnStatic(thread, site, WRITE_KIND)) writeStatic(site);
    }

    @DontInline
    public static void readStatic(int site) {
        staticField(site, false);
    }

    @DontInline
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
        thread.setHeld(shadow);
        if (Accesses.isOwn(thread, shadow)) own(thread, shadow, field.place, isWrite, site);
        else if (!Accesses.isRepeated(thread, shadow, field.place, isWrite))
            shared(thread, shadow, null, field.place, isWrite, field.isVolatile, site, field);
    }

    /** A variable that belongs to no object. */
    static void access(Shadow shadow, int place, boolean isWrite, int site, Accesses.Named names) {
        ThreadLog thread = enter();
        if (thread == null) return;
        shadow.lock();
        thread.setHeld(shadow);
        if (Accesses.isOwn(thread, shadow)) Accesses.remember(thread, shadow, place, isWrite, site);
        else shared(thread, shadow, null, place, isWrite, false, site, names);
    }

    @DontInline
    static void shared(
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
            Ordered.access(thread, shadow, place, isWrite, site, operation, names);
        } finally {
            thread.busy = false;
        }
    }

    public static void readElement(Object array, int index, int site, Object lane) {
        ThreadLog thread = quick(lane);
        if (thread == null || !Elements.isOwn(thread, array, index, site, READ_KIND)) readElement(array, index, site);
    }

    @DontInline
    public static void readElement(Object array, int index, int site) {
        ThreadLog thread = enter();
        if (thread == null || array == null || isSpeculative(thread, array, index, site)) return;
        Elements.access(thread, array, index, site, false);
    }

    public static void writeElement(Object array, int index, int site, Object lane) {
        ThreadLog thread = quick(lane);
        if (thread == null || !Elements.isOwn(thread, array, index, site, WRITE_KIND)) writeElement(array, index, site);
    }

    @DontInline
    public static void writeElement(Object array, int index, int site) {
        ThreadLog thread = enter();
        if (thread != null && array != null) Elements.access(thread, array, index, site, true);
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

    /** A block waits for others; those around it may be meant to be atomic all the same. */
    public static void paused(int site) {
        ThreadLog thread = enter();
        if (thread == null || thread.openBlocks != 1) return;
        if (thread.isFull()) thread.awaitRoom();
        thread.split(site);
    }

    public static void end() {
        ThreadLog thread = enter();
        if (thread == null || thread.openBlocks == 0) return;
        thread.end();
        if (thread.openBlocks == 0) thread.setSpeculation(null);
    }
}
