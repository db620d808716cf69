package trackside.runtime;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;

/** A field as code names it, and, from its first use on, which one that is. */
public final class FieldRef implements Accesses.Named {
    /** What is added to classes of the program. */
    public static final String SHADOW = "$trackside";

    private static final Unsafe U = Unsafe.getUnsafe();

    static final int UNKNOWN = 0;
    static final int IGNORED = 1;
    static final int WATCHED = 2;

    private final WeakReference<ClassLoader> loader;
    private final String owner;
    private final String field;
    final boolean isStatic;

    volatile int status = UNKNOWN;
    boolean isVolatile;
    /** The number of the field among those of its object. */
    int place;

    int places;
    /** Where objects keep their shadows; -1 if they have no place for one. */
    long offset = -1;

    Shadow statics;
    /** `Account.balance`. */
    String name;

    public FieldRef(ClassLoader loader, String owner, String field, boolean isStatic) {
        this.loader = new WeakReference<>(loader);
        this.owner = owner;
        this.field = field;
        this.isStatic = isStatic;
    }

    /** Finds out which field it is. What is not watched, and what never changes, is ignored from then on. */
    synchronized void link(Object object) {
        if (status != UNKNOWN) return;
        ClassInfo info = ClassInfo.find(loader.get(), owner);
        while (info != null && !info.declares(field)) info = info.superInfo();
        if (info == null || info.isFinal(field) || info.isStatic(field) != isStatic) {
            status = IGNORED;
            return;
        }
        isVolatile = info.isVolatile(field);
        place = info.place(field);
        name = (isStatic ? Names.ofClass(info) : Names.simple(info.name)) + "." + field;
        if (isStatic) {
            statics = info.statics();
        } else {
            places = info.total();
            if (info.hasPlace()) offset = Objects.shadowOffset(object.getClass());
        }
        status = WATCHED;
    }

    @Override
    public String name(Shadow shadow, int place) {
        return isStatic ? name : name + " of " + shadow.name;
    }

    /** The shadow of an object that has the field. */
    Shadow shadow(ThreadLog thread, Object object) {
        if (offset < 0) return WeakTable.of(thread, object, places);
        Shadow shadow = (Shadow) U.getReference(object, offset);
        return shadow != null ? shadow : Objects.create(object, offset, places);
    }
}
