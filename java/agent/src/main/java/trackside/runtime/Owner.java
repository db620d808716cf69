package trackside.runtime;

/**
 * A thread, as the shadows know it of what it had to itself. They keep it alive: when it is collected, nothing of a thread that is over can
 * be handed to others any more.
 */
final class Owner {
    /** Of the thread. */
    final int id;

    /** Who has waited for its end, plus 1, and where in the log of that one; 0 if nobody has. In one word, for all to read. */
    long joined;

    final ThreadLog log;

    Owner(ThreadLog log) {
        this.log = log;
        id = log.id;
    }
}
