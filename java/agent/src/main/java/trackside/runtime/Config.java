package trackside.runtime;

/** What the command line has asked for that probes have to know. */
public final class Config {
    /** Elements of an array are one variable. */
    public static boolean coarseArrays;
    /**
     * Also what only one thread touches, and all that differs by the locks that are held or by what the thread has given to
     * others: what analyses of races and of other schedules need.
     */
    public static boolean complete;
    /** Moreover, what is redundant. */
    public static boolean everything;
    /** Says at the end how much was written. */
    public static boolean statistics;

    /** Threads are held back where others may come in: from a seed; 0 if they are not. */
    public static int provokes;

    private Config() {}
}
