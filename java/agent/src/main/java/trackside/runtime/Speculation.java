package trackside.runtime;

/** Reads of which it is not known yet whether they count. */
class Speculation {
    /** Of what is going to be looked at again, where it counts: it was never read. */
    static final Speculation LOOK = new Speculation() {
        @Override
        boolean add(Object object, int index, int site) {
            return true;
        }
    };

    private static final int MOST = 64;
    /** In place of an index: the read is of a field, or of a static one. */
    static final int FIELD = -1;

    static final int STATIC = -2;

    private final Object[] objects = new Object[MOST];
    private final int[] indices = new int[MOST];
    private final int[] sites = new int[MOST];
    private int count;

    /** False if there is no room for more: then it has to count now. */
    boolean add(Object object, int index, int site) {
        if (count == MOST) return false;
        objects[count] = object;
        indices[count] = index;
        sites[count++] = site;
        return true;
    }

    void tell() {
        for (int i = 0; i < count; i++) {
            if (indices[i] == STATIC) Probes.readStatic(sites[i]);
            else if (indices[i] == FIELD) Probes.readField(objects[i], sites[i]);
            else Probes.readElement(objects[i], indices[i], sites[i]);
            Probes.done();
        }
    }
}
