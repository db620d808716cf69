package trackside.runtime;

import static trackside.runtime.Records.*;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Writes the events of threads, with the begins of the blocks that they are in and the tokens that have to stand before them. */
final class Output {
    private final TrkWriter writer;
    private final Tokens tokens;
    private final Map<String, Namesakes> threadNames = new HashMap<>();
    private final Map<Integer, Integer> earlier = new HashMap<>();
    long events;

    /** Threads of one name: how many there have been, and how many of them may still be spoken of. */
    private static final class Namesakes {
        int count;
        int present;
    }

    Output(TrkWriter writer, Tokens tokens) {
        this.writer = writer;
        this.tokens = tokens;
    }

    /** An event of the thread where it is now; `record` is its number in the thread's log. */
    void event(ThreadLog log, int operation, int operand, int site, int record, boolean isIncoming) throws IOException {
        Merged merged = log.merged;
        begins(log, merged.depth, site);
        if (isIncoming) token(log, merged.depth, record, site);
        write(log, operation, operandId(operation, operand), site);
    }

    /** An event of the thread in so many of its open blocks, of which no inner one is written. */
    void eventAt(ThreadLog log, int level, int operation, int operand, int site) throws IOException {
        begins(log, level, site);
        boolean isPair = operation == LOCKED_AND_RELEASED;
        int id = operandId(operation, operand);
        write(log, isPair ? ACQUIRE : operation, id, site);
        if (isPair) write(log, RELEASE, id, site);
    }

    private void begins(ThreadLog log, int level, int site) throws IOException {
        Merged merged = log.merged;
        while (merged.written < level) {
            token(log, merged.written, merged.beginnings[merged.written], site);
            int at = merged.written++;
            write(log, BEGIN, label(merged.labels[at]), merged.sites[at]);
        }
    }

    /** A token for what the thread touched of its own before a record, with so many blocks around it; if there is anything. */
    void token(ThreadLog log, int level, int record, int site) throws IOException {
        if (!log.merged.isTouched(level)) return;
        Token token = tokens.add(log, level, record);
        write(log, VOLATILE_WRITE, operandId(VOLATILE_WRITE, token.variable), site);
    }

    void end(ThreadLog log) throws IOException {
        Merged merged = log.merged;
        int at = --merged.written;
        write(log, END, label(merged.labels[at]), merged.sites[at]);
    }

    private void write(ThreadLog log, int operation, int operand, int site) throws IOException {
        events++;
        log.merged.hasEvents = true;
        writer.event(threadId(log), operation, operand, location(site));
    }

    int threadId(ThreadLog log) {
        Merged merged = log.merged;
        if (merged.traceId < 0) {
            Namesakes same = threadNames.get(log.name);
            if (same == null) threadNames.put(log.name, same = new Namesakes());
            same.present++;
            merged.traceId = writer.threads.add(++same.count == 1 ? log.name : log.name + " #" + same.count);
        }
        return merged.traceId;
    }

    /** The thread is over, and nothing of it will be written any more. */
    void forget(ThreadLog log) {
        if (log.merged.traceId < 0) return;
        writer.threads.retireInFile(log.merged.traceId);
        if (--threadNames.get(log.name).present == 0) threadNames.remove(log.name);
    }

    private int operandId(int operation, int operand) {
        return switch (operation) {
            case FORK, JOIN -> threadId(ThreadsById.of(operand));
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

    /** Says where the owner was, and what it did there, to whoever has to tell what became of it. */
    int siteOf(Tokens.Debt debt) {
        String location = Site.of(debt.site).location;
        if (location == null) return 0;
        boolean isWrite = debt.operation != READ;
        return earlier.computeIfAbsent(
                2 * debt.site + (isWrite ? 1 : 0),
                key -> Site.add(location + (isWrite ? ", written there before" : ", read there before"), null, false));
    }

    private int location(int site) {
        NameTable locations = writer.locations;
        if (locations.knows(site)) return locations.inFile(site);
        String location = Site.of(site).location;
        return location == null ? -1 : locations.define(site, location);
    }
}
