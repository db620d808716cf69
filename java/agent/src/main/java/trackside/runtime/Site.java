package trackside.runtime;

/** A place in the program: a line, and the field that is used there, if it is one. */
public final class Site {
    private static final int CHUNK = 1 << 10;
    private static final int MOST = 1 << 24;
    private static final Site[][] sites = new Site[MOST / CHUNK][];
    private static int count;

    static {
        // Number 0 is no place at all.
        add(null, null);
    }

    final String location;
    final FieldRef field;

    private Site(String location, FieldRef field) {
        this.location = location;
        this.field = field;
    }

    /** Gives a new site its number; null for a place that has no line. */
    public static synchronized int add(String location, FieldRef field) {
        // Beyond what fits into a record, places are no longer told apart.
        if (count == MOST - 1) return 0;
        if (count % CHUNK == 0) sites[count / CHUNK] = new Site[CHUNK];
        sites[count / CHUNK][count % CHUNK] = new Site(location, field);
        return count++;
    }

    static Site of(int number) {
        return sites[number >> 10][number & CHUNK - 1];
    }
}
