package trackside.runtime;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.Arrays;
import jdk.internal.vm.annotation.DontInline;

/** The shadows of arrays and of objects of the JDK, which have no place for one; forgotten with the object. */
final class WeakTable {
    private static final int CACHE = 512;
    /** Of a thread that has not needed one yet: most threads of a program with many of them do little. */
    static final Entry[] NO_CACHE = new Entry[1];

    /** So many places have an entry of their own; a power of two. */
    private static final int RECENT = 256;

    static final Entry[] NO_RECENT = new Entry[RECENT];

    private static final int SEGMENTS = 64;

    static final class Entry extends WeakReference<Object> {
        final int hash;
        final Shadow shadow;
        /** Of an array: its length, and the shadows of its elements; null for other objects. */
        final int length;

        final Pieces pieces;
        final Shadow[] parts;
        final int shift;
        final int mask;
        Entry next;

        Entry(Object object, ReferenceQueue<Object> queue, int hash, Shadow shadow) {
            super(object, queue);
            this.hash = hash;
            this.shadow = shadow;
            boolean isArray = object.getClass().isArray();
            length = isArray ? Array.getLength(object) : 0;
            pieces = isArray ? new Pieces(shadow, length) : null;
            parts = isArray ? pieces.pieces : null;
            shift = isArray ? pieces.shift : 0;
            mask = isArray ? pieces.mask : 0;
        }
    }

    /** An entry for nothing. */
    private static final Entry NOTHING = new Entry(new Object(), null, 0, null);

    private static final class Segment {
        final ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Entry[] slots = new Entry[64];
        int count;

        synchronized Entry entry(Object object, int hash, int variables) {
            for (Entry entry = slots[hash & slots.length - 1]; entry != null; entry = entry.next)
                if (entry.refersTo(object)) return entry;
            expunge();
            if (count > slots.length) grow();
            Entry entry = new Entry(object, queue, hash, new Shadow(variables));
            int slot = hash & slots.length - 1;
            entry.next = slots[slot];
            slots[slot] = entry;
            count++;
            return entry;
        }

        private void expunge() {
            for (Object gone = queue.poll(); gone != null; gone = queue.poll()) {
                Entry entry = (Entry) gone;
                int slot = entry.hash & slots.length - 1;
                Entry before = null;
                for (Entry other = slots[slot]; other != null; other = other.next) {
                    if (other == entry) {
                        if (before == null) slots[slot] = other.next;
                        else before.next = other.next;
                        count--;
                        break;
                    }
                    before = other;
                }
            }
        }

        private void grow() {
            Entry[] bigger = new Entry[4 * slots.length];
            for (Entry head : slots) {
                for (Entry entry = head; entry != null; ) {
                    Entry next = entry.next;
                    int slot = entry.hash & bigger.length - 1;
                    entry.next = bigger[slot];
                    bigger[slot] = entry;
                    entry = next;
                }
            }
            slots = bigger;
        }
    }

    private static final Segment[] segments = new Segment[SEGMENTS];

    static {
        for (int i = 0; i < SEGMENTS; i++) segments[i] = new Segment();
        Arrays.fill(NO_RECENT, NOTHING);
    }

    private WeakTable() {}

    /** The shadow of an object; `variables` is how many it is going to have at first. */
    static Shadow of(ThreadLog thread, Object object, int variables) {
        return entry(thread, object, variables).shadow;
    }

    @DontInline
    static Entry entry(ThreadLog thread, Object object, int variables) {
        // The low bits of an identity hash are good; the segment takes others than the slot.
        int hash = System.identityHashCode(object);
        Entry[] cache = thread.cache;
        Entry cached = cache[hash & cache.length - 1];
        if (cached != null && cached.refersTo(object)) return cached;
        Entry entry = segments[hash >>> 9 & SEGMENTS - 1].entry(object, hash, variables);
        if (cache == NO_CACHE) thread.cache = cache = new Entry[CACHE];
        cache[hash & cache.length - 1] = entry;
        return entry;
    }

    /** What was found lately at a place in the program; an entry for something else if it was nothing of that kind. */
    static Entry recent(ThreadLog thread, int site) {
        return thread.recent[site >> 1 & RECENT - 1];
    }

    static void setRecent(ThreadLog thread, int site, Entry entry) {
        if (thread.recent == NO_RECENT) {
            thread.recent = new Entry[RECENT];
            Arrays.fill(thread.recent, NOTHING);
        }
        thread.recent[site >> 1 & RECENT - 1] = entry;
    }
}
