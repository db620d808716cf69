package trackside.runtime;

/** What is in a record of a thread's log: two words. Numbers of operations up to 17 are those of `.trk`. */
final class Records {
    static final int READ = 0;
    static final int WRITE = 1;
    static final int ACQUIRE = 3;
    static final int RELEASE = 4;
    static final int FORK = 5;
    static final int JOIN = 6;
    static final int BEGIN = 7;
    static final int END = 8;
    static final int VOLATILE_READ = 11;
    static final int VOLATILE_WRITE = 12;
    static final int VOLATILE_UPDATE = 13;
    /** A read and a write that nobody comes between; never in a record itself. */
    static final int VOLATILE_CHANGE = 14;

    static final int NOTIFY = 16;
    static final int WAIT = 17;
    /** The next record stands in the name of another thread, at a place of that one's log. */
    static final int HANDED = 20;
    /** An acquire and a release at once, in the name of another thread. */
    static final int LOCKED_AND_RELEASED = 21;
    /** Only keeps its place in the order. */
    static final int NOTHING = 22;

    /** The thread waits: what it does after that is another execution of the blocks that are open. */
    static final int SPLIT = 23;

    /** Whether something comes in from another thread. */
    static final int INCOMING = 32;

    /** Whether the thread has touched data of its own since the record before. */
    static final int TOUCHED = 64;

    static final int OPERATION = 31;

    /** Records that wait for no other. */
    static final int NO_KEY = -1;

    private Records() {}

    /** `what` is an operation, perhaps with {@link #INCOMING}; sites are below 2^24. */
    static long first(int what, int site, int operand) {
        return (long) operand << 32 | (long) (site & 0xffffff) << 8 | what;
    }

    static long second(int key, int version) {
        return (long) key << 32 | version & 0xffffffffL;
    }

    static int what(long first) {
        return (int) first & 0xff;
    }

    static int site(long first) {
        return (int) (first >>> 8) & 0xffffff;
    }

    static int operand(long first) {
        return (int) (first >>> 32);
    }
}
