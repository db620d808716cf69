public class Counter {
    private int count;

    /** `between` is called where it must not be interrupted. */
    public void add(Runnable between) {
        int seen = count;
        between.run();
        count = seen + 1;
    }
}
