package trackside.runtime;

/**
 * Work that a block gives to a pool and waits for is done for the block: in the trace, a thread of its own does it, forked by the block, and the
 * thread of the pool is that one meanwhile. Whether the block is going to wait is known from its code, from an earlier time, from how the work is
 * given, or because it waits already; where it is not known when the work begins, the work is the pool's own.
 */
public final class Tasks {
    private Tasks() {}

    /** A piece of work, kept by the shadow of what is to be run and of the future that stands for it. */
    static final class Task {
        private static final int GIVEN = 0;
        private static final int FORKED = 1;
        private static final int STARTED = 2;

        private ThreadLog giver;
        private ThreadLog log;
        private int state;

        private synchronized boolean hasStarted() {
            return state == STARTED;
        }

        private synchronized boolean change(int from, int to) {
            if (state != from) return false;
            state = to;
            return true;
        }
    }

    /** The current thread is about to give work to others. */
    public static void submitting(Object work) {
        submit(work, false);
    }

    /** Who forks is going to join. */
    public static void forking(Object work) {
        submit(work, true);
    }

    private static void submit(Object work, boolean isAwaited) {
        ThreadLog thread = Probes.enter();
        if (thread == null || work == null) return;
        if (isInBlock(thread) && !Config.complete) give(thread, work, isAwaited || isGoingToWait(thread));
        Signals.notifying(work);
    }

    private static void give(ThreadLog thread, Object work, boolean isAwaited) {
        thread.busy = true;
        try {
            Shadow shadow = Objects.ofMonitor(thread, work);
            Task task = shadow.task;
            if (task == null || task.hasStarted()) shadow.task = task = new Task();
            // One way to give work may lead to another.
            if (task.giver == null) task.giver = thread;
            if (isAwaited && task.giver == thread && task.log == null) fork(thread, task);
        } finally {
            thread.busy = false;
        }
    }

    private static void fork(ThreadLog thread, Task task) {
        if (thread.isFull()) thread.awaitRoom();
        Departures.awaitRoom();
        ThreadLog log = ThreadLogs.ofTask(thread, task);
        Threads.forked(thread, log);
        task.log = log;
        // Somebody has begun it meanwhile, as work of the pool.
        if (!task.change(Task.GIVEN, Task.FORKED)) end(log);
    }

    /** A future stands for work. */
    public static void standsFor(Object work, Object future) {
        ThreadLog thread = Probes.enter();
        if (thread == null || future == null || !isInBlock(thread) || Config.complete) return;
        thread.busy = true;
        Task task = new Task();
        Objects.ofMonitor(thread, work).task = task;
        Objects.ofMonitor(thread, future).task = task;
        thread.busy = false;
    }

    /** The current thread is about to wait for something; if it is work of its own that nobody has begun, that is done for the block. */
    public static void awaiting(Object future) {
        ThreadLog thread = Probes.enter();
        if (thread == null || future == null || !isInBlock(thread)) return;
        thread.busy = true;
        try {
            Task task = Objects.ofMonitor(thread, future).task;
            if (task == null || task.giver != thread) return;
            thread.learnToWait();
            if (task.log == null) fork(thread, task);
        } finally {
            thread.busy = false;
        }
    }

    /** What is given to others from here to {@link #waited} is waited for. */
    public static void waiting() {
        ThreadLog thread = Probes.enter();
        if (thread != null) thread.waits++;
    }

    public static void waited() {
        ThreadLog thread = Probes.enter();
        if (thread != null && thread.waits > 0) thread.waits--;
    }

    /** The next work is given by a method that is going to wait for others, by its code, and may be no block itself. */
    public static void giving() {
        ThreadLog thread = Probes.enter();
        if (thread != null) thread.awaitsWhatItGives = true;
    }

    public static void given() {
        ThreadLog thread = Probes.enter();
        if (thread != null) thread.awaitsWhatItGives = false;
    }

    /** A pool is about to start a thread: that is the pool's own, whoever gave it the work for which it needs one. */
    public static void hiring() {
        ThreadLog thread = Probes.enter();
        if (thread != null) thread.hires++;
    }

    public static void hired() {
        ThreadLog thread = Probes.enter();
        if (thread != null && thread.hires > 0) thread.hires--;
    }

    /** The current thread begins work that was given to it. */
    public static void started(Object work) {
        ThreadLog thread = Probes.enter();
        if (thread == null || work == null) return;
        thread.busy = true;
        Task task = Config.complete ? null : Objects.ofMonitor(thread, work).task;
        boolean isForked = false;
        if (task != null && task.giver != null) {
            task.change(Task.GIVEN, Task.STARTED);
            isForked = task.change(Task.FORKED, Task.STARTED);
        }
        if (isForked && isFree(thread) && isInBlock(task.log)) {
            ThreadLog log = task.log;
            log.outer = thread;
            log.work = work;
            ThreadLogs.replace(thread, log);
        } else if (isForked) end(task.log);
        thread.busy = false;
        Signals.notified(work);
    }

    /** The current thread has done what it began last. */
    public static void ended() {
        ThreadLog log = Probes.enter();
        if (log == null || log.outer == null) return;
        while (log.openBlocks > 0) Probes.end();
        log.busy = true;
        Monitors.releaseAll(log);
        ThreadLogs.restore(log);
        end(log);
    }

    public static void ended(Object work) {
        ThreadLog log = Probes.enter();
        if (log != null && log.work == work) ended();
    }

    static void end(ThreadLog log) {
        log.busy = true;
        log.outer = null;
        log.work = null;
        log.isOver = true;
        Departures.ended();
    }

    /** Whether what the thread does belongs to a block that is open. */
    static boolean isInBlock(ThreadLog thread) {
        if (thread.openBlocks > 0) return true;
        ThreadLog giver = thread.giver;
        if (giver == null) return false;
        if (thread.giverTransaction == 0) return isInBlock(giver);
        return giver.openBlocks > 0 && giver.transaction == thread.giverTransaction;
    }

    private static boolean isGoingToWait(ThreadLog thread) {
        return thread.waits > 0 || thread.awaitsWhatItGives || thread.isGoingToWait();
    }

    /** Whether it is in the middle of nothing, so that it may be another one for a while. */
    private static boolean isFree(ThreadLog thread) {
        return thread.openBlocks == 0 && thread.locks.isEmpty() && thread.monitorCount == 0 && thread.atomic == null && !CollectionCalls.isDoing(thread);
    }
}
