package trackside.runtime;

import jdk.internal.misc.Unsafe;

/**
 * The shadows of a large array: one for each run of elements, made when that is first touched. Each has an owner, a lock and turns of
 * its own, so that threads that work on different parts of an array neither wait for each other nor write anything down.
 */
final class Pieces {
    private static final int SHIFT = 6;
    static final int SIZE = 1 << SHIFT;
    /** So many runs are known while only one thread uses the array. */
    private static final int MOST_OWN = 32;

    private static final Unsafe U = Unsafe.getUnsafe();

    /** Of the array itself, whose lock guards what is here. */
    private final Shadow whole;

    private final Shadow[] pieces;
    private int count;
    /** The only thread that has touched the array; or {@link Shadow#SHARED}. */
    private int user = Shadow.NOBODY;

    /** Whether a second thread has come to it, and was sent by the program. */
    boolean isOfProgram;

    Pieces(Shadow whole, int length) {
        this.whole = whole;
        pieces = new Shadow[(length + SIZE - 1) >> SHIFT];
    }

    /** The shadow of an element; null if its thread has used too many to know more of them. */
    static Shadow of(ThreadLog thread, Shadow whole, int index, int length) {
        Pieces pieces = whole.pieces;
        if (pieces == null) pieces = begin(whole, length);
        Shadow piece = pieces.pieces[index >> SHIFT];
        return piece != null ? piece : pieces.create(thread, index >> SHIFT);
    }

    static int place(int index) {
        return index & SIZE - 1;
    }

    private static Pieces begin(Shadow whole, int length) {
        Pieces fresh = new Pieces(whole, length);
        whole.lock();
        if (whole.pieces == null) whole.pieces = fresh;
        whole.unlock();
        return whole.pieces;
    }

    private Shadow create(ThreadLog thread, int number) {
        whole.lock();
        try {
            if (pieces[number] != null) return pieces[number];
            if (user == Shadow.NOBODY) user = thread.id;
            else if (user != thread.id) user = Shadow.SHARED;
            if (user != Shadow.SHARED && count >= MOST_OWN && !Config.complete) return null;
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
