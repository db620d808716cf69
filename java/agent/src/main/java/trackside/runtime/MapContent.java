package trackside.runtime;

/**
 * What is in a map, as variables: which keys there are, and what is under each. Also how threads keep out of each other's way there:
 * by a lock that everybody has, or not at all.
 */
final class MapContent {
    /** Which keys there are; those of the keys come after it. */
    static final int KEYS = 0;

    /** So many keys are told apart; what is under others is not watched. */
    private static final int MOST_KEYS = 4096;

    private static final int MOST_OWN = 16;

    final Shadow shadow = new Shadow(4);
    /** The locks that were held whenever it was used, since a second thread did; null until then. */
    private Shadow[] locks;

    /** The thread that is in the middle of using it. */
    int user = Shadow.NOBODY;

    int sizeBefore;
    private int ownBlock = -1;

    /** Whether one lock keeps all who use it apart; this use is one of them. */
    boolean isLocked(ThreadLog thread, boolean isChange) {
        if (locks == null || !thread.locks.hasAll(locks, isChange)) locks = thread.locks.among(locks, isChange);
        return locks.length > 0;
    }

    /** The place of a key; -1 if there are too many. */
    int place(int hash, boolean isOwn) {
        if (shadow.elements == null) shadow.elements = new ElementIndex();
        int place = 1 + shadow.elements.place(hash, isOwn ? MOST_OWN : MOST_KEYS);
        if (2 * place >= shadow.last.length) shadow.place(Math.max(place, shadow.last.length));
        return place == 0 ? -1 : place;
    }

    /** Of the owner, only what it did in the block that is open matters. */
    void keepOnly(int block) {
        if (ownBlock == block) return;
        ownBlock = block;
        shadow.elements = null;
        java.util.Arrays.fill(shadow.last, 0);
        shadow.lastWriteBeforeUpdates = null;
    }
}
