package trackside.runtime;

import java.util.Arrays;

/** The locks that a thread has, by their shadows, and whether it has them to itself. */
final class HeldLocks {
    static final Shadow[] NONE = {};

    private Shadow[] locks = new Shadow[4];
    private boolean[] exclusive = new boolean[4];
    private int count;

    void add(Shadow lock, boolean isExclusive) {
        if (count == locks.length) {
            locks = Arrays.copyOf(locks, 2 * count);
            exclusive = Arrays.copyOf(exclusive, 2 * count);
        }
        locks[count] = lock;
        exclusive[count++] = isExclusive;
    }

    void remove(Shadow lock) {
        for (int i = count - 1; i >= 0; i--) {
            if (locks[i] != lock) continue;
            count--;
            System.arraycopy(locks, i + 1, locks, i, count - i);
            System.arraycopy(exclusive, i + 1, exclusive, i, count - i);
            locks[count] = null;
            return;
        }
    }

    /** The last one that was taken; null if there is none. */
    Shadow last() {
        return count == 0 ? null : locks[count - 1];
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Those of some locks that the thread has; `others` is null for all. */
    Shadow[] among(Shadow[] others, boolean onlyExclusive) {
        if (others == NONE) return NONE;
        Shadow[] found = new Shadow[count];
        int size = 0;
        for (int i = 0; i < count; i++) {
            boolean isWanted = others == null || Arrays.asList(others).contains(locks[i]);
            if (isWanted && (exclusive[i] || !onlyExclusive)) found[size++] = locks[i];
        }
        return size == 0 ? NONE : Arrays.copyOf(found, size);
    }

    /** Whether the thread has all of some locks. */
    boolean hasAll(Shadow[] others, boolean onlyExclusive) {
        for (Shadow other : others) {
            int i = count - 1;
            while (i >= 0 && (locks[i] != other || onlyExclusive && !exclusive[i])) i--;
            if (i < 0) return false;
        }
        return true;
    }
}
