package trackside.runtime;

import static trackside.runtime.Records.*;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Puts the records of all threads into one order and writes them. Every access carries the number of its turn at its
 * object: it is written when the turn before it was. So nobody waits for a thread that does nothing.
 */
final class Merger implements Runnable {
    private static final long FLUSH_NANOS = 50_000_000;
    private static final long REST_NANOS = 200_000;
    private static final long DRAIN_NANOS = 10_000_000_000L;

    private static volatile Thread thread;

    private final TrkWriter writer;
    private final List<ThreadLog> logs = new ArrayList<>();
    private final Map<String, Integer> threadNames = new HashMap<>();

    /** By key: the number of the turn that is next. */
    private int[] next = new int[1024];

    private final List<Variables.Life> dead = new ArrayList<>();
    private long events;
    private long handed;
    private long lost;
    private volatile boolean isAsked;
    private volatile boolean isDone;

    Merger(TrkWriter writer) {
        this.writer = writer;
    }

    void start() {
        Thread started = new Thread(null, this, "trackside", 0, false);
        started.setDaemon(true);
        ThreadLogs.of(started, true);
        thread = started;
        started.start();
    }

    static void wake() {
        LockSupport.unpark(thread);
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
        } catch (Throwable broken) {
            Notes.say("Watching ended early, by an error of ours: " + broken + " at " + broken.getStackTrace()[0]);
        } finally {
            Probes.isOff = true;
            isDone = true;
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
        if (Config.statistics)
            Notes.say("Events: " + events + ", handed over: " + handed + ", handed over too late: " + lost + ".");
    }

    private boolean isDrained() {
        if (ThreadLogs.hasFresh) return false;
        for (ThreadLog log : logs) if (log.taken != log.position) return false;
        return true;
    }

    private boolean takeAll() throws IOException {
        if (ThreadLogs.hasFresh) for (ThreadLog log : ThreadLogs.takeFresh()) logs.add(log);
        boolean moved = false;
        for (int i = 0; i < logs.size(); i++) {
            ThreadLog log = logs.get(i);
            moved |= take(log);
            if (log.isOver && log.taken == log.position && log.forkedBy == null) {
                logs.set(i, logs.get(logs.size() - 1));
                logs.remove(logs.size() - 1);
                i--;
            }
        }
        return moved;
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
        switch (operation) {
            case BEGIN -> merged.begin(operand(first), site(first), record);
            case END -> end(log);
            case HANDED -> {
                ThreadLog from = ThreadsById.of(operand(first));
                int position = (int) second;
                if (from.taken < position || !isForked(from)) return false;
                merged.handedFrom = from;
                merged.handedPosition = position;
            }
            case FORK -> event(log, FORK, threadId(ThreadsById.of(operand(first))), site(first));
            case JOIN -> {
                ThreadLog child = ThreadsById.of(operand(first));
                if (child != null) {
                    if (!child.isOver || child.taken != child.position || !isForked(child)) return false;
                    event(log, JOIN, threadId(child), site(first));
                    child.merged.isJoined = true;
                    merged.lastIncoming = record;
                }
            }
            case SPLIT -> {
                while (merged.written > 0) {
                    int at = --merged.written;
                    write(log, END, label(merged.labels[at]), merged.sites[at]);
                }
                java.util.Arrays.fill(merged.beginnings, 0, merged.depth, record);
            }
            case NOTHING -> {}
            default -> {
                if (merged.handedFrom != null) hand(merged, operation, first);
                else {
                    event(log, operation, operandId(operation, operand(first)), site(first));
                    if ((what & INCOMING) != 0) merged.lastIncoming = record;
                }
            }
        }
        if (key >= 0) next[key]++;
        return true;
    }

    /** Whether the fork of the thread was taken, if it had one. */
    private static boolean isForked(ThreadLog log) {
        if (log.forkedBy == null) return true;
        if (log.forkedBy.taken < log.forkPosition) return false;
        log.forkedBy = null;
        return true;
    }

    private void end(ThreadLog log) throws IOException {
        Merged merged = log.merged;
        if (merged.depth == 0) return;
        int depth = --merged.depth;
        if (merged.written <= depth) return;
        merged.written = depth;
        write(log, END, label(merged.labels[depth]), merged.sites[depth]);
    }

    /**
     * An access of the former owner of an object, which was not written while nobody else had touched that. It is put
     * where the thread stands now, if that makes no difference: if it is still in the same outermost block; or if it is in
     * none, or in one of which nothing is written, and nothing has come in from other threads since.
     */
    private void hand(Merged merged, int operation, long first) throws IOException {
        ThreadLog from = merged.handedFrom;
        int position = merged.handedPosition;
        merged.handedFrom = null;
        Merged owner = from.merged;
        boolean isHeld = operation == ACQUIRE;
        // Not in an inner block that began after it: that one would be blamed for what it did not do.
        boolean isInside = owner.depth > 0
                && owner.beginnings[0] < position
                && (owner.written == 0 || owner.beginnings[owner.written - 1] < position);
        boolean isBefore = !isInside && owner.written == 0 && owner.lastIncoming < position;
        if (!isInside && !isBefore && !isHeld || owner.isJoined) {
            lost++;
            return;
        }
        handed++;
        int operand = operandId(operation, operand(first));
        if (!isBefore) writeBegins(from, isHeld ? Integer.MAX_VALUE : position);
        boolean isPair = operation == LOCKED_AND_RELEASED;
        write(from, isPair ? ACQUIRE : operation, operand, site(first));
        if (isPair) write(from, RELEASE, operand, site(first));
    }

    /** Writes an event, after the begins of the blocks it is in. */
    private void event(ThreadLog log, int operation, int operand, int site) throws IOException {
        writeBegins(log, Integer.MAX_VALUE);
        write(log, operation, operand, site);
    }

    /** Of the blocks that began before a record. */
    private void writeBegins(ThreadLog log, int record) throws IOException {
        Merged merged = log.merged;
        while (merged.written < merged.depth && merged.beginnings[merged.written] < record) {
            int at = merged.written++;
            write(log, BEGIN, label(merged.labels[at]), merged.sites[at]);
        }
    }

    private void write(ThreadLog log, int operation, int operand, int site) throws IOException {
        events++;
        writer.event(threadId(log), operation, operand, location(site));
    }

    private int threadId(ThreadLog log) {
        Merged merged = log.merged;
        if (merged.traceId < 0) {
            int same = threadNames.merge(log.name, 1, Integer::sum);
            merged.traceId = writer.threads.define(log.id, same == 1 ? log.name : log.name + " #" + same);
        }
        return merged.traceId;
    }

    private int operandId(int operation, int operand) {
        return switch (operation) {
            case ACQUIRE, RELEASE, NOTIFY, WAIT, LOCKED_AND_RELEASED -> {
                NameTable locks = writer.locks;
                yield locks.knows(operand) ? locks.inFile(operand) : locks.define(operand, Variables.lockName(operand));
            }
            default -> {
                NameTable variables = writer.variables;
                yield variables.knows(operand)
                        ? variables.inFile(operand)
                        : variables.define(operand, Variables.variableName(operand));
            }
        };
    }

    private int label(int label) {
        NameTable labels = writer.labels;
        return labels.knows(label) ? labels.inFile(label) : labels.define(label, Labels.name(label));
    }

    private int location(int site) {
        NameTable locations = writer.locations;
        if (locations.knows(site)) return locations.inFile(site);
        String location = Site.of(site).location;
        return location == null ? -1 : locations.define(site, location);
    }

    /** Forgets what belonged to objects that are gone, after the last record about them. */
    private void retire() throws IOException {
        for (Variables.Life life = Variables.nextDead(); life != null; life = Variables.nextDead()) dead.add(life);
        if (dead.isEmpty()) return;
        boolean isAny = false;
        for (int i = 0; i < dead.size(); i++) {
            Variables.Life life = dead.get(i);
            Shadow shadow = life.shadow;
            if (shadow.key < next.length ? next[shadow.key] != shadow.version : shadow.version != 0) continue;
            if (shadow.lockId >= 0) writer.locks.retire(shadow.lockId);
            int[] state = shadow.state;
            for (int at = Shadow.VARIABLE; at < state.length; at += Shadow.PARTS)
                if (state[at] != 0) writer.variables.retire(state[at] - 1);
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
