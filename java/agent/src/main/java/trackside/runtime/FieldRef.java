package trackside.runtime;

import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Stable;

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

    @Stable
    Shadow statics;

    /** The offset and the place, once they are known: compilers take them for constants. 0 if objects have no place for a shadow. */
    @Stable
    private long where;

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
            if (offset > 0) where = offset << 32 | place;
        }
        status = WATCHED;
    }

    @Override
    public String name(Shadow shadow, int place) {
        return isStatic ? name : name + " of " + shadow.name;
    }

    /** The shadow of an object; null if it has none yet, or no place for one. */
    Shadow quickShadow(Object object) {
        long at = where;
        return at == 0 ? null : (Shadow) U.getReference(object, at >>> 32);
    }

    int quickPlace() {
        return (int) where;
    }

    /** Of the class; null if nobody has used the field yet. */
    Shadow quickStatics() {
        return status == WATCHED ? statics : null;
    }

    /** The shadow of an object that has the field. */
    Shadow shadow(ThreadLog thread, Object object) {
        if (offset < 0) return WeakTable.of(thread, object, places);
        Shadow shadow = (Shadow) U.getReference(object, offset);
        return shadow != null ? shadow : Objects.create(object, offset, places);
    }
}
