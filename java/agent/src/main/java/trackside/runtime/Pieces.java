package trackside.runtime;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * The shadows of the elements of an array. A large one has a shadow for each run of elements, made when that is first touched: each
 * has an owner, a lock and turns of its own, so that threads that work on different parts of an array neither wait for each other nor
 * write anything down. A small one has one, as has any with {@link Config#coarseArrays}.
 */
final class Pieces {
    private static final int SHIFT = 6;
    private static final int SIZE = 1 << SHIFT;
    /** Larger arrays are watched piece by piece. */
    private static final int LARGE = 256;
    /** So many runs are known while only one thread uses the array. */
    private static final int MOST_OWN = 32;

    private static final Unsafe U = Unsafe.getUnsafe();

    /** Of the array itself, whose lock guards what is here. */
    private final Shadow whole;

    /** An element's is the one whose number is that of the element, shifted; its place there is the number, masked. */
    final Shadow[] pieces;

    final int shift;
    final int mask;

    private int count;
    /** The only thread that has touched the array; or {@link Shadow#SHARED}. */
    private int user = Shadow.NOBODY;

    /** Whether a second thread has come to it, and was sent by the program. */
    boolean isOfProgram;

    Pieces(Shadow whole, int length) {
        this.whole = whole;
        boolean isLarge = length > LARGE && !Config.coarseArrays;
        pieces = new Shadow[isLarge ? (length + SIZE - 1) >> SHIFT : 1];
        if (!isLarge) pieces[0] = whole;
        shift = isLarge ? SHIFT : Integer.SIZE - 1;
        mask = isLarge ? SIZE - 1 : Config.coarseArrays ? 0 : -1;
    }

    /** How many variables the shadow of the array itself has. */
    static int variables(int length) {
        return Config.coarseArrays ? 1 : length > LARGE ? 0 : length;
    }

    /** The shadow of an element; null if there is none yet. */
    Shadow find(int index) {
        return pieces[index >> shift];
    }

    /** And the number of the element in there. */
    int place(int index) {
        return index & mask;
    }

    /** The shadow of an element; null if its thread has used too many to know more of them. */
    Shadow of(ThreadLog thread, int index) {
        Shadow piece = find(index);
        return piece != null || isBeyond(thread) ? piece : create(thread, index >> SHIFT);
    }

    /** Whether the thread has used too many to know those that there are not yet. */
    boolean isBeyond(ThreadLog thread) {
        return user == thread.id && count >= MOST_OWN && !Config.complete;
    }

    @DontInline
    private Shadow create(ThreadLog thread, int number) {
        whole.lock();
        try {
            if (pieces[number] != null) return pieces[number];
            if (user == Shadow.NOBODY) user = thread.id;
            else if (user != thread.id) user = Shadow.SHARED;
            if (isBeyond(thread)) return null;
            Shadow piece = new Shadow(SIZE);
            piece.within = this;
            piece.base = number << SHIFT;
            // Others find it without a lock.
            U.storeFence();
            pieces[number] = piece;
            count++;
            return piece;
        } finally {
            whole.unlock();
        }
    }

    /** A second thread has come to one of them. */
    String share(Object array) {
        whole.lock();
        user = Shadow.SHARED;
        if (whole.name == null) whole.name = Names.ofObject(array);
        whole.unlock();
        return whole.name;
    }
}
