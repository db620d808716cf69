package trackside.runtime;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32;

/** Writes `.trk`; docs/reference/formats/trk.md describes it. */
final class TrkWriter {
    private static final byte[] MAGIC = {(byte) 0x89, 'T', 'R', 'K', '\r', '\n', 0x1a, '\n'};
    private static final int EVENTS = 8192;
    private static final int MOST_NAME_BYTES = 256 << 10;

    final NameTable threads = new NameTable();
    final NameTable locks = new NameTable();
    final NameTable variables = new NameTable();
    final NameTable labels = new NameTable();
    /** By site. */
    final NameTable locations = new NameTable();

    private final NameTable[] tables = {threads, locks, variables, labels, locations};

    private final OutputStream stream;
    private final Bytes out = new Bytes();
    private long written;

    private final int[] actions = new int[EVENTS];
    private final int[] operands = new int[EVENTS];
    private final int[] places = new int[EVENTS];
    private int count;

    // The actions of the chunk: a thread doing an operation. Looked up by thread and operation.
    private int[] actionOf = new int[1024];
    private final int[] actionKeys = new int[EVENTS];
    private final int[] leastOperand = new int[EVENTS];
    private int actionCount;

    // The locations of the chunk, looked up by location + 1; 0 is none.
    private int[] placeOf = new int[1024];
    private final int[] placeKeys = new int[EVENTS];
    private int placeCount;

    TrkWriter(OutputStream stream) throws IOException {
        this.stream = stream;
        for (byte each : MAGIC) out.u8(each);
        out.u32(2);
        send();
    }

    int size() {
        return count;
    }

    /** All are numbers of the file; -1 for no location. */
    void event(int thread, int operation, int operand, int location) throws IOException {
        int at = count++;
        int action = action(thread << 5 | operation);
        actions[at] = action;
        operands[at] = operand;
        if (leastOperand[action] > operand) leastOperand[action] = operand;
        places[at] = place(location + 1);
        if (count == EVENTS || nameBytes() > MOST_NAME_BYTES) flush();
    }

    private int nameBytes() {
        return variables.freshBytes() + locks.freshBytes();
    }

    private int action(int key) {
        if (key >= actionOf.length) actionOf = java.util.Arrays.copyOf(actionOf, Math.max(key + 1, 2 * actionOf.length));
        int known = actionOf[key];
        if (known != 0) return known - 1;
        actionKeys[actionCount] = key;
        leastOperand[actionCount] = Integer.MAX_VALUE;
        actionOf[key] = ++actionCount;
        return actionCount - 1;
    }

    private int place(int key) {
        if (key >= placeOf.length) placeOf = java.util.Arrays.copyOf(placeOf, Math.max(key + 1, 2 * placeOf.length));
        int known = placeOf[key];
        if (known != 0) return known - 1;
        placeKeys[placeCount] = key;
        placeOf[key] = ++placeCount;
        return placeCount - 1;
    }

    /** Sends what has been gathered. */
    void flush() throws IOException {
        if (count == 0) return;
        writeSections();
        writeNames(false);
        int start = beginChunk(1);
        out.varint(count);
        for (NameTable table : tables) table.writeFresh(out);
        out.varint(actionCount);
        for (int i = 0; i < actionCount; i++) {
            out.u8(actionKeys[i] & 31);
            out.varint(actionKeys[i] >>> 5);
            out.varint(leastOperand[i]);
            actionOf[actionKeys[i]] = 0;
        }
        out.varint(placeCount);
        int before = 0;
        for (int i = 0; i < placeCount; i++) {
            // An even number is a text of the location table, 0 is none.
            int location = 2 * placeKeys[i];
            int difference = location - before;
            out.varint(difference << 1 ^ difference >> 31);
            before = location;
            placeOf[placeKeys[i]] = 0;
        }
        int highest = 0;
        for (int i = 0; i < count; i++) {
            operands[i] -= leastOperand[actions[i]];
            highest |= operands[i];
        }
        int actionWidth = actionCount > 256 ? 2 : 1;
        int operandWidth = (39 - Integer.numberOfLeadingZeros(highest)) >>> 3;
        int placeWidth = placeCount > 256 ? 2 : placeCount > 1 ? 1 : 0;
        out.u8(actionWidth);
        out.u8(operandWidth);
        out.u8(placeWidth);
        out.planes(actions, count, actionWidth);
        out.planes(operands, count, operandWidth);
        out.planes(places, count, placeWidth);
        endChunk(start);
        written += count;
        count = 0;
        actionCount = 0;
        placeCount = 0;
        send();
    }

    /** What is known of the program's code by now. */
    private void writeSections() {
        for (byte[] facts = Sections.take(); facts != null; facts = Sections.take()) {
            int start = beginChunk(4);
            out.varint(Sections.NAME.length());
            for (int i = 0; i < Sections.NAME.length(); i++) out.u8(Sections.NAME.charAt(i));
            out.varint(Sections.VERSION);
            for (byte each : facts) out.u8(each);
            endChunk(start);
        }
    }

    /** Says which names are gone for good; `flush` first. */
    void writeRetired() throws IOException {
        writeNames(true);
        send();
    }

    private void writeNames(boolean retired) {
        boolean isNeeded = false;
        for (NameTable table : tables) isNeeded |= retired ? table.hasRetired() : table.hasRenamed();
        if (!isNeeded) return;
        int start = beginChunk(3);
        for (NameTable table : tables) {
            if (retired) table.writeRetired(out);
            else table.writeRenamed(out);
        }
        endChunk(start);
    }

    void finish() throws IOException {
        flush();
        int start = beginChunk(2);
        out.u64(written);
        endChunk(start);
        send();
    }

    private int beginChunk(int kind) {
        int start = out.length;
        out.u32(0);
        out.u32(0);
        out.u8(kind);
        return start;
    }

    private void endChunk(int start) {
        int body = start + 8;
        CRC32 sum = new CRC32();
        sum.update(out.bytes, body, out.length - body);
        out.u32At(start, out.length - body);
        out.u32At(start + 4, (int) sum.getValue());
    }

    private void send() throws IOException {
        stream.write(out.bytes, 0, out.length);
        out.length = 0;
    }
}
