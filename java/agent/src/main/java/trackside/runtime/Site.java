package trackside.runtime;

import jdk.internal.vm.annotation.Stable;

/** A place in the program: a line, and the field that is used there, if it is one. */
public final class Site {
    private static final int CHUNK = 1 << 10;
    private static final int MOST = 1 << 24;
    public static final int NEXT = 2;
    /** Of the second place of a line where an iterator is asked for the next element. */
    public static final String VISITED = ", one by one";
    @Stable
    private static final Site[][] sites = new Site[MOST / CHUNK][];
    /** Even numbers are places in the program, odd ones in the JDK. */
    private static final int[] counts = {0, 1};

    static {
        // Number 0 is no place at all.
        add(null, null, false);
    }

    final String location;
    @Stable
    final FieldRef field;

    private Site(String location, FieldRef field) {
        this.location = location;
        this.field = field;
    }

    /** Gives a new site its number; null for a place that has no line. */
    public static synchronized int add(String location, FieldRef field, boolean isOfJdk) {
        int number = counts[isOfJdk ? 1 : 0];
        // Beyond what fits into a record, places are no longer told apart.
        if (number >= MOST - 2) return 0;
        if (sites[number / CHUNK] == null) sites[number / CHUNK] = new Site[CHUNK];
        sites[number / CHUNK][number % CHUNK] = new Site(location, field);
        counts[isOfJdk ? 1 : 0] += NEXT;
        return number;
    }

    static boolean isOfJdk(int number) {
        return (number & 1) != 0;
    }

    /** The place of a visit if one is made in this line; else 0. */
    static int visit(int number) {
        int next = number + NEXT;
        Site[] chunk = sites[next / CHUNK];
        Site found = chunk == null ? null : chunk[next % CHUNK];
        return found != null && found.location != null && found.location.endsWith(VISITED) ? next : 0;
    }

    static Site of(int number) {
        return sites[number >> 10][number & CHUNK - 1];
    }
}
