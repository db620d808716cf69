package trackside.runtime;

import jdk.internal.vm.annotation.DontInline;

/** Elements of arrays. */
final class Elements {
    static final Accesses.Named ELEMENT = new Accesses.Named() {
        @Override
        public String name(Shadow shadow, int place) {
            return shadow.name + "[" + (shadow.base + place) + "]";
        }
    };

    private static final Accesses.Named WHOLE = new Accesses.Named() {
        @Override
        public String name(Shadow shadow, int place) {
            return "elements of " + shadow.name;
        }
    };

    private Elements() {}

    /** Whether the array was found here lately, and the element is the thread's own; then the access may take place. */
    static boolean isOwn(ThreadLog thread, Object array, int index, int site, int kind) {
        // An entry whose array is gone refers to null.
        if (array == null) return false;
        WeakTable.Entry entry = WeakTable.recent(thread, site);
        if (!entry.refersTo(array) || index < 0 || index >= entry.length) return false;
        Shadow shadow = entry.parts[index >> entry.shift];
        if (shadow == null) return isBeyond(thread, entry);
        return Leases.enter(thread, shadow, 2 * (index & entry.mask) + kind, site);
    }

    @DontInline
    private static boolean isBeyond(ThreadLog thread, WeakTable.Entry entry) {
        return entry.pieces.isBeyond(thread);
    }

    /** In any case. */
    static void access(ThreadLog thread, Object array, int index, int site, boolean isWrite) {
        WeakTable.Entry entry = WeakTable.recent(thread, site);
        if (!entry.refersTo(array)) {
            entry = WeakTable.entry(thread, array, Pieces.variables(java.lang.reflect.Array.getLength(array)));
            WeakTable.setRecent(thread, site, entry);
        }
        int length = entry.length;
        if (index < 0 || index >= length || CollectionCalls.isCovered(thread, site)) return;
        site = CollectionCalls.site(thread, site);
        Pieces pieces = entry.pieces;
        Shadow shadow = pieces.of(thread, index);
        if (shadow == null) return;
        int place = pieces.place(index);
        if (Leases.enter(thread, shadow, 2 * place + (isWrite ? 0 : 1), site)) return;
        if (Config.provokes != 0) Provocation.before(thread, shadow, isWrite, site);
        shadow.lock();
        thread.setHeld(shadow);
        // If it was first used as a lock.
        if (2 * place >= shadow.last.length) shadow.place(Pieces.variables(length) - 1);
        if (Accesses.isOwn(thread, shadow)) Probes.own(thread, shadow, place, isWrite, site);
        else if (!Accesses.isRepeated(thread, shadow, place, isWrite))
            Probes.shared(thread, shadow, array, place, isWrite, false, site, Config.coarseArrays ? WHOLE : ELEMENT);
    }
}
