package trackside.runtime;

/**
 * A thread, as the shadows know it of what it had to itself. They keep it alive: when it is collected, nothing of a thread that is over can
 * be handed to others any more.
 */
final class Owner {
    /** Of the thread. */
    final int id;

    Owner(int id) {
        this.id = id;
    }
}
