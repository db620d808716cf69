package trackside.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** One of the five tables of names of a `.trk` file: gives things of ours their numbers in the file. */
final class NameTable {
    /** By our number: the number in the file, plus 1; 0 if it has none. */
    private int[] inFile = new int[64];

    private int count;
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /** Names for the next chunk of events. */
    private final List<String> fresh = new ArrayList<>();

    private int freshBytes;

    /** For the next chunk of names. */
    private final List<Integer> retired = new ArrayList<>();

    private final List<Integer> renamed = new ArrayList<>();
    private final List<String> newNames = new ArrayList<>();

    boolean knows(int number) {
        return number < inFile.length && inFile[number] != 0;
    }

    int inFile(int number) {
        return inFile[number] - 1;
    }

    int define(int number, String name) {
        if (number >= inFile.length) inFile = java.util.Arrays.copyOf(inFile, Math.max(number + 1, 2 * inFile.length));
        int id = add(name);
        inFile[number] = id + 1;
        return id;
    }

    /** For who keeps the number in the file. */
    int add(String name) {
        Integer again = free.poll();
        int id = again == null ? count++ : again;
        if (again == null) {
            fresh.add(name);
        } else {
            renamed.add(again);
            newNames.add(name);
        }
        freshBytes += name.length();
        return id;
    }

    /** Nothing that is called so will come any more. The events so far must have been written. */
    void retire(int number) {
        if (!knows(number)) return;
        retired.add(inFile[number] - 1);
        inFile[number] = 0;
    }

    /** The same by the number in the file. */
    void retireInFile(int id) {
        retired.add(id);
    }

    int freshBytes() {
        return freshBytes;
    }

    boolean hasRetired() {
        return !retired.isEmpty();
    }

    boolean hasRenamed() {
        return !renamed.isEmpty();
    }

    void writeFresh(Bytes out) {
        out.varint(fresh.size());
        for (String name : fresh) out.name(name);
        fresh.clear();
        freshBytes = 0;
    }

    void writeRetired(Bytes out) {
        out.varint(retired.size());
        for (int id : retired) {
            out.varint(id);
            free.add(id);
        }
        retired.clear();
        out.varint(0);
    }

    void writeRenamed(Bytes out) {
        out.varint(0);
        out.varint(renamed.size());
        for (int i = 0; i < renamed.size(); i++) {
            out.varint(renamed.get(i));
            out.name(newNames.get(i));
        }
        renamed.clear();
        newNames.clear();
    }
}
