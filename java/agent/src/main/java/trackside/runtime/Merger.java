package trackside.runtime;

import static trackside.runtime.Records.*;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Puts the records of all threads into one order and writes them. Every access carries the number of its turn at its
 * object: it is written when the turn before it was. So nobody waits for a thread that does nothing.
 */
final class Merger implements Runnable {
    private static final long FLUSH_NANOS = 50_000_000;
    private static final long REST_NANOS = 200_000;
    private static final long DRAIN_NANOS = 10_000_000_000L;

    private static final int MOST_TRIES = 100;

    private static volatile Thread thread;

    private final TrkWriter writer;
    private final List<ThreadLog> logs = new ArrayList<>();
    private final Tokens tokens = new Tokens();
    private final Departures departures = new Departures();
    private final Output output;

    /** By key: the number of the turn that is next. */
    private int[] next = new int[1024];

    private final List<Variables.Life> dead = new ArrayList<>();
    private long handed;
    private long handedByToken;
    private long lost;
    private volatile boolean isAsked;
    private volatile boolean isDone;

    Merger(TrkWriter writer) {
        this.writer = writer;
        output = new Output(writer, tokens);
    }

    void start() {
        // Programs count the threads of their own group, and may wait until there is one left.
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) group = group.getParent();
        Thread started = new Thread(group, this, "trackside", 0, false);
        started.setDaemon(true);
        ThreadLogs.of(started, true);
        thread = started;
        started.start();
    }

    static void wake() {
        LockSupport.unpark(thread);
    }

    /** Gives the merger a little time; of a thread that has nothing locked. */
    static void await() {
        wake();
        try {
            Thread.sleep(0, 100_000);
        } catch (InterruptedException interrupted) {
            // The program's own business: it will meet it where it waits itself.
            Thread.currentThread().interrupt();
            Thread.onSpinWait();
        }
    }

    /** Writes what there is, and the end. */
    void finish() {
        isAsked = true;
        wake();
        long deadline = System.nanoTime() + DRAIN_NANOS + 1_000_000_000L;
        while (!isDone && System.nanoTime() < deadline) LockSupport.parkNanos(100_000);
    }

    @Override
    public void run() {
        try {
            merge();
        } catch (IOException gone) {
            // Whoever read this is gone: the program goes on by itself.
        } catch (OutOfMemoryError full) {
            saveWhatThereIs();
        } catch (Throwable broken) {
            Notes.say("Watching ended early, by an error of ours: " + broken + " at " + broken.getStackTrace()[0]);
        } finally {
            Probes.isOff = true;
            isDone = true;
        }
    }

    /** The program has used up its memory: that may get better, or not. */
    private void saveWhatThereIs() {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            try {
                writer.flush();
                Notes.say("Watching ended early, as the program had no memory left; a larger -Xmx lets it go on.");
                return;
            } catch (OutOfMemoryError again) {
                LockSupport.parkNanos(FLUSH_NANOS);
            } catch (IOException gone) {
                return;
            }
        }
    }

    private void merge() throws IOException {
        long flushed = System.nanoTime();
        long asked = 0;
        for (int idle = 0; ; ) {
            boolean moved = takeAll();
            long now = System.nanoTime();
            if (now - flushed > FLUSH_NANOS) {
                writer.flush();
                retire();
                flushed = now;
            }
            if (moved) {
                idle = 0;
                continue;
            }
            if (isAsked) {
                if (asked == 0) asked = now;
                // Nothing is written any more, but a thread may still be between two words.
                if (isDrained() || now - asked > DRAIN_NANOS) break;
            }
            if (++idle < 50) Thread.onSpinWait();
            else LockSupport.parkNanos(REST_NANOS);
        }
        writer.finish();
        if (lost > 0)
            Notes.say("Missing are " + lost + " accesses of threads to data that they had to themselves, long before others came;"
                    + " --complete keeps them.");
        if (Config.statistics)
            Notes.say("Events: " + output.events + ", tokens: " + tokens.count + ", handed over: " + handed
                    + ", by a token: " + handedByToken + ", too late: " + lost + ".");
    }

    private boolean isDrained() {
        if (ThreadLogs.hasFresh) return false;
        for (ThreadLog log : logs) if (log.taken != log.position) return false;
        return true;
    }

    private boolean takeAll() throws IOException {
        takeFresh();
        boolean moved = false;
        for (int i = 0; i < logs.size(); i++) {
            ThreadLog log = logs.get(i);
            moved |= take(log);
            if (log.isOver && log.taken == log.position && log.forkedBy == null) {
                departures.add(log);
                logs.set(i, logs.get(logs.size() - 1));
                logs.remove(logs.size() - 1);
                i--;
            }
        }
        return moved;
    }

    private void takeFresh() {
        if (ThreadLogs.hasFresh) java.util.Collections.addAll(logs, ThreadLogs.takeFresh());
    }

    /** Takes records of one thread, until there are no more or one has to wait. */
    private boolean take(ThreadLog log) throws IOException {
        if (!isForked(log)) return false;
        int taken = log.taken;
        int before = taken;
        for (; ; ) {
            ThreadLog.Chunk chunk = log.reading;
            int filled = chunk.filled;
            int at = log.readingAt;
            boolean isBlocked = false;
            while (at < filled) {
                if (!takeRecord(log, taken, chunk.words[at], chunk.words[at + 1])) {
                    isBlocked = true;
                    break;
                }
                at += 2;
                taken++;
            }
            log.readingAt = at;
            log.taken = taken;
            if (isBlocked || at < chunk.words.length) break;
            ThreadLog.Chunk following = chunk.next;
            if (following == null) break;
            log.reading = following;
            log.readingAt = 0;
        }
        return taken != before;
    }

    /** Whether it was its turn. */
    private boolean takeRecord(ThreadLog log, int record, long first, long second) throws IOException {
        int key = (int) (second >>> 32);
        int what = what(first);
        if (key >= 0) {
            if (key >= next.length) next = java.util.Arrays.copyOf(next, Math.max(key + 1, 2 * next.length));
            if (next[key] != (int) second) return false;
        }
        int operation = what & OPERATION;
        Merged merged = log.merged;
        if ((what & TOUCHED) != 0) merged.touch();
        switch (operation) {
            case BEGIN -> merged.begin(operand(first), site(first), record);
            case END -> {
                if (merged.depth > 0 && merged.written == merged.depth) output.end(log);
                if (merged.depth > 0) merged.end();
            }
            case HANDED -> {
                ThreadLog from = ThreadsById.of(operand(first));
                int position = (int) second;
                if (from.taken < position || !isForked(from)) return false;
                merged.handedFrom = from;
                merged.handedPosition = position;
            }
            case FORK -> output.event(log, FORK, operand(first), site(first), record, false);
            case JOIN -> {
                ThreadLog child = ThreadsById.of(operand(first));
                if (child != null) {
                    if (!child.isOver || child.taken != child.position || !isForked(child)) return false;
                    // Nothing of it may come after that, however many wait for its end.
                    if (!child.merged.isJoined) {
                        if (child.hasTouched || child.merged.hasOnlyEmptyBlocks()) child.merged.touch();
                        output.token(child, child.merged.depth, child.position, 0);
                    }
                    output.event(log, JOIN, operand(first), site(first), record, true);
                    child.merged.isJoined = true;
                }
            }
            case SPLIT -> {
                while (merged.written > 0) output.end(log);
                merged.beginAgain(record);
            }
            case NOTHING -> {}
            default -> {
                if (merged.handedFrom != null) hand(log, operation, operand(first), site(first), record);
                else {
                    if (tokens.hasDebts() && isAccess(operation)) pay(log, operation, operand(first), record);
                    output.event(log, operation, operand(first), site(first), record, (what & INCOMING) != 0);
                }
            }
        }
        if (key >= 0) next[key]++;
        return true;
    }

    private static boolean isAccess(int operation) {
        return operation <= WRITE || operation >= VOLATILE_READ && operation <= VOLATILE_UPDATE;
    }

    /** Whether the fork of the thread was taken, if it had one. */
    private static boolean isForked(ThreadLog log) {
        if (log.forkedBy == null) return true;
        if (log.forkedBy.taken < log.forkPosition) return false;
        log.forkedBy = null;
        return true;
    }

    /**
     * An access of the former owner of an object, which was not written while nobody else had touched that. If nothing has come in
     * from other threads since, and no block that began since is written, it may as well stand where the owner is now. Else a
     * token was written for it, which others read before they touch the same.
     */
    private void hand(ThreadLog log, int operation, int operand, int site, int record) throws IOException {
        ThreadLog from = log.merged.handedFrom;
        int position = log.merged.handedPosition;
        log.merged.handedFrom = null;
        Merged owner = from.merged;
        if (operation == ACQUIRE) {
            // It still has the lock: to have got it later makes no difference to anybody.
            if (!owner.isJoined) output.eventAt(from, owner.depth, ACQUIRE, operand, site);
            return;
        }
        if (!owner.hasToken(position)) {
            handed++;
            output.eventAt(from, owner.levelAt(position), operation, operand, site);
            return;
        }
        Token token = owner.tokenAt(position);
        if (token == null) lost++;
        else {
            handedByToken++;
            if (operation == LOCKED_AND_RELEASED) output.event(log, VOLATILE_READ, token.variable, site, record, true);
            else tokens.owe(operand, operation, site, token);
        }
    }

    /** Of everybody to whom an access matters that stands in the trace as a token. */
    private void pay(ThreadLog log, int operation, int variable, int record) throws IOException {
        List<Tokens.Debt> due = tokens.due(log, operation, variable);
        if (due == null) return;
        for (Tokens.Debt debt : due) {
            int site = output.siteOf(debt);
            output.event(log, VOLATILE_READ, debt.token.variable, site, record, true);
        }
    }

    private boolean retireThreads() {
        takeFresh();
        for (ThreadLog log : logs) if (log.isUnreachableWork()) Tasks.end(log);
        List<ThreadLog> gone = departures.take(logs);
        if (gone.isEmpty()) return false;
        tokens.forgetAll(gone);
        for (ThreadLog log : gone) {
            output.forget(log);
            ThreadLogs.remove(log);
        }
        return true;
    }

    /** Forgets what belonged to objects that are gone, after the last record about them. */
    private void retire() throws IOException {
        for (Variables.Life life = Variables.nextDead(); life != null; life = Variables.nextDead()) dead.add(life);
        boolean isAny = retireThreads();
        for (int variable : tokens.takeGone()) {
            writer.variables.retire(variable);
            Variables.undefine(variable);
            isAny = true;
        }
        for (int i = 0; i < dead.size(); i++) {
            Variables.Life life = dead.get(i);
            Shadow shadow = life.shadow;
            if (shadow.key < next.length ? next[shadow.key] != shadow.version : shadow.version != 0) continue;
            if (shadow.lockId >= 0) writer.locks.retire(shadow.lockId);
            int[] state = shadow.state;
            for (int at = Shadow.VARIABLE; at < state.length; at += Shadow.PARTS)
                if (state[at] != 0) {
                    tokens.forget(state[at] - 1);
                    writer.variables.retire(state[at] - 1);
                }
            if (shadow.key < next.length) next[shadow.key] = 0;
            Variables.free(life);
            dead.set(i, dead.get(dead.size() - 1));
            dead.remove(dead.size() - 1);
            i--;
            isAny = true;
        }
        if (isAny) writer.writeRetired();
    }
}
