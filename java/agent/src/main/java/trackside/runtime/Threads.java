package trackside.runtime;

import static trackside.runtime.Records.*;

/** What the JDK's own code calls about threads. */
public final class Threads {
    private Threads() {}

    /** A thread that has not run yet is about to be started. */
    public static void starting(Thread child) {
        ThreadLog parent = Probes.enter();
        if (parent == null || child.getState() != Thread.State.NEW) return;
        if (parent.hires > 0 && Tasks.isInBlock(parent) && !Config.complete) return;
        parent.busy = true;
        try {
            if (parent.isFull()) parent.awaitRoom();
            Departures.awaitRoom();
            ThreadLog log = ThreadLogs.of(child, false);
            // What was never to be watched, and what is started twice.
            if (log.id < 0 || log.forkPosition > 0 || log.position > 0) return;
            forked(parent, log);
        } finally {
            parent.busy = false;
        }
    }

    /** The current thread is over, but for what the JDK has to do. */
    public static void ending() {
        ThreadLog thread = Probes.enter();
        if (thread == null) return;
        while (thread.openBlocks > 0) Probes.end();
        thread.busy = true;
        thread.isOver = true;
        Departures.ended();
        thread.cache = WeakTable.NO_CACHE;
        thread.recent = WeakTable.NO_RECENT;
    }

    /** The current thread has waited for another to end. */
    public static void joined(Thread child) {
        ThreadLog thread = Probes.enter();
        if (thread == null || child.isAlive()) return;
        thread.busy = true;
        try {
            ThreadLog log = ThreadLogs.find(child);
            if (log == null || log == thread || !log.isOver) return;
            if (thread.isFull()) thread.awaitRoom();
            joined(thread, log);
        } finally {
            thread.busy = false;
            // Its number is its own as long as it can be reached.
            java.lang.ref.Reference.reachabilityFence(child);
        }
    }

    static void forked(ThreadLog parent, ThreadLog child) {
        parent.add(first(FORK, 0, child.id), second(NO_KEY, 0));
        parent.gaveAway();
        child.forkPosition = parent.position;
        child.parent = parent.id;
        child.parentPosition = parent.position;
        child.grandparent = parent.parent;
        child.grandparentPosition = parent.parentPosition;
        child.known = Known.tell(parent);
        child.isKnownTold = true;
        if (Tasks.isInBlock(parent)) {
            child.giver = parent;
            child.giverTransaction = parent.openBlocks > 0 ? parent.transaction : 0;
        }
        child.forkedBy = parent;
        if (Config.provokes != 0) Provocation.starting();
    }

    static void joined(ThreadLog parent, ThreadLog child) {
        parent.epoch++;
        parent.add(first(JOIN, 0, child.id), second(NO_KEY, 0));
        child.setJoined(parent);
        Known.learn(parent, child.id, 0, child.known);
    }

    /** The program is over. */
    public static void halting() {
        Recorder.finish();
    }
}
