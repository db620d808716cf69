package trackside.agent;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What stands behind `-javaagent:…=`: `key=value`, separated by commas; `options=<file>` adds the lines of a file. */
final class Options {
    String connect;
    /** Who has left a connection open for the JVM that it starts; 0 if nobody has. */
    int parent;
    String record;
    String notes;
    boolean atomicAll;
    boolean synchronizedBlocks;
    boolean coarseArrays;
    boolean statistics;
    boolean complete;
    boolean everything;
    /** 0 if no thread is to be held back. */
    int provokes;

    boolean watchesJdk = true;
    /** Whether what is found is going to be judged, which takes to know the code. */
    boolean isJudged = true;

    final List<String> atomic = new ArrayList<>();
    final List<String> instrument = new ArrayList<>();

    static Options parse(String text) throws IOException {
        Options options = new Options();
        if (text != null) for (String part : text.split(",")) options.add(part);
        return options;
    }

    private void add(String part) throws IOException {
        if (part.isEmpty()) return;
        int equals = part.indexOf('=');
        String key = equals < 0 ? part : part.substring(0, equals);
        String value = equals < 0 ? "" : part.substring(equals + 1);
        switch (key) {
            case "options" -> {
                // Without channels, decoders and streams of characters, none of which the JVM has loaded yet.
                try (FileInputStream file = new FileInputStream(value)) {
                    for (String line : new String(file.readAllBytes(), StandardCharsets.UTF_8).split("\n")) add(line);
                }
            }
            case "connect" -> connect = value;
            case "parent" -> parent = Integer.parseInt(value);
            case "record" -> record = value;
            case "notes" -> notes = value;
            case "atomic" -> atomic.add(value);
            case "atomic-all" -> atomicAll = true;
            case "synchronized-blocks" -> synchronizedBlocks = true;
            case "arrays" -> coarseArrays = value.equals("coarse");
            case "instrument" -> instrument.add(value);
            case "not-judged" -> isJudged = false;
            case "no-jdk" -> watchesJdk = false;
            case "complete" -> complete = true;
            case "everything" -> complete = everything = true;
            case "provoke" -> provokes = 2 * (int) Long.parseLong(value) + 1;
            case "statistics" -> statistics = true;
            default -> throw new IllegalArgumentException("unknown option '" + key + "' of the trackside agent");
        }
    }
}
