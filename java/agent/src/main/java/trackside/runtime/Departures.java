package trackside.runtime;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that are over, until nothing can be said of them any more. Others may still wait for their end, as long as the thread itself can be
 * reached, and touch what they had to themselves, as long as a shadow knows them as its owner. What such others have done stands in
 * their logs: when both are gone, those have to be read up to where they are then.
 */
final class Departures {
    /** For fewer it is not worth looking. */
    private static final int FEW = 256;

    private static final ReferenceQueue<Object> unreachable = new ReferenceQueue<>();

    private List<ThreadLog> over = new ArrayList<>();
    /** Of how many threads and owners it has become known that nobody reaches them. */
    private int found;

    /** Nobody reaches these any more; and how far others have to be read. */
    private List<ThreadLog> leaving = List.of();

    private final List<ThreadLog> others = new ArrayList<>();
    private int[] bounds = {};

    static <T> WeakReference<T> watching(T object) {
        return new WeakReference<>(object, unreachable);
    }

    /** So many threads may be over of which not everything is taken; then those that start others wait. */
    private static final int MOST_WAITING = 1 << 10;

    private static final AtomicInteger waiting = new AtomicInteger();

    /** Of a thread that is over. */
    static void ended() {
        waiting.incrementAndGet();
    }

    /** The log of one thread is bounded, but there may be any number of short ones. */
    static void awaitRoom() {
        while (waiting.get() > MOST_WAITING && !Probes.isOff) Merger.await();
    }

    /** The thread is over, and everything of it is taken. */
    void add(ThreadLog log) {
        waiting.decrementAndGet();
        log.forget();
        over.add(log);
    }

    /** Those of which nothing can be said any more; `logs` are all that are not over. */
    List<ThreadLog> take(List<ThreadLog> logs) {
        while (unreachable.poll() != null) found++;
        if (leaving.isEmpty()) {
            if (found >= FEW) look(logs);
            return List.of();
        }
        for (int i = 0; i < bounds.length; i++) if (others.get(i).taken < bounds[i]) return List.of();
        List<ThreadLog> gone = leaving;
        leaving = List.of();
        return gone;
    }

    private void look(List<ThreadLog> logs) {
        found = 0;
        List<ThreadLog> needed = new ArrayList<>();
        List<ThreadLog> unneeded = new ArrayList<>();
        for (ThreadLog log : over) (log.isReachable() ? needed : unneeded).add(log);
        over = needed;
        leaving = unneeded;
        others.clear();
        others.addAll(logs);
        bounds = new int[others.size()];
        for (int i = 0; i < bounds.length; i++) bounds[i] = others.get(i).position;
    }
}
