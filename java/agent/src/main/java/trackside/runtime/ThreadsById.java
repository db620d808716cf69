package trackside.runtime;

/** Threads by their numbers, for records that speak of other threads. */
final class ThreadsById {
    private static ThreadLog[] logs = new ThreadLog[64];

    private ThreadsById() {}

    static synchronized void put(ThreadLog log) {
        if (log.id >= logs.length) logs = java.util.Arrays.copyOf(logs, 2 * Math.max(log.id, logs.length));
        logs[log.id] = log;
    }

    static synchronized ThreadLog of(int id) {
        return logs[id];
    }
}
