package trackside.runtime;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the class file of a watched class says, as it was loaded. */
public final class ClassInfo {
    private static final int ACC_STATIC = 8;
    private static final int ACC_FINAL = 16;
    private static final int ACC_VOLATILE = 64;

    private static final Map<String, List<ClassInfo>> byName = new HashMap<>();

    /** With slashes. */
    public final String name;

    final String superName;
    private final WeakReference<ClassLoader> loader;
    private final boolean isBoot;
    /** Whether objects have a place for their shadow here. */
    final boolean isInjected;

    private final Map<String, Integer> access = new HashMap<>();
    private final Map<String, Integer> places = new HashMap<>();
    private int instanceFields;
    private int staticFields;
    private int total = -1;
    /** Of the class's static fields. */
    private Shadow statics;

    public ClassInfo(String name, String superName, ClassLoader loader, boolean isInjected) {
        this.name = name;
        this.superName = superName;
        this.loader = new WeakReference<>(loader);
        this.isBoot = loader == null;
        this.isInjected = isInjected;
    }

    public void addField(String field, int flags) {
        access.put(field, flags);
        places.put(field, (flags & ACC_STATIC) != 0 ? staticFields++ : instanceFields++);
    }

    /** From now on, this is the class of that name and loader. */
    public void register() {
        synchronized (byName) {
            List<ClassInfo> same = byName.get(name);
            if (same == null) byName.put(name, same = new ArrayList<>(1));
            for (int i = same.size() - 1; i >= 0; i--) {
                ClassInfo other = same.get(i);
                if (other.isOf(loader.get()) || !other.isBoot && other.loader.get() == null) same.remove(i);
            }
            same.add(this);
        }
    }

    private boolean isOf(ClassLoader other) {
        return other == null ? isBoot : loader.get() == other;
    }

    /** The class of that name that code of the loader sees, as far as it is watched. */
    static ClassInfo find(ClassLoader from, String name) {
        synchronized (byName) {
            List<ClassInfo> same = byName.get(name);
            if (same == null) return null;
            for (ClassInfo info : same) if (info.isOf(from)) return info;
            for (ClassLoader parent = from; parent != null; parent = parent.getParent())
                for (ClassInfo info : same) if (info.isOf(parent)) return info;
            for (ClassInfo info : same) if (info.isBoot) return info;
            // Loaders that delegate sideways.
            return same.get(0);
        }
    }

    public static boolean isInjected(ClassLoader loader, String name) {
        ClassInfo info = find(loader, name);
        return info != null && info.isOf(loader) && info.isInjected;
    }

    public static boolean hasPlace(ClassLoader loader, String name) {
        ClassInfo info = find(loader, name);
        return info != null && info.hasPlace();
    }

    /** Null if the class is not known, or has none. */
    public static String superName(ClassLoader loader, String name) {
        ClassInfo info = find(loader, name);
        return info == null ? null : info.superName;
    }

    ClassInfo superInfo() {
        return superName == null ? null : find(loader.get(), superName);
    }

    boolean declares(String field) {
        return access.containsKey(field);
    }

    boolean isFinal(String field) {
        return (access.get(field) & ACC_FINAL) != 0;
    }

    boolean isVolatile(String field) {
        return (access.get(field) & ACC_VOLATILE) != 0;
    }

    boolean isStatic(String field) {
        return (access.get(field) & ACC_STATIC) != 0;
    }

    /** The number of a field among those of its objects, those of superclasses first; or among static ones. */
    int place(String field) {
        int place = places.get(field);
        return isStatic(field) ? place : total() - instanceFields + place;
    }

    /** How many fields objects have, up to this class. */
    synchronized int total() {
        if (total < 0) {
            ClassInfo above = superInfo();
            // Objects have one shadow for what the JDK declares, and another for the rest.
            boolean sameShadow = above != null && above.hasPlace() == hasPlace();
            total = instanceFields + (sameShadow ? above.total() : 0);
        }
        return total;
    }

    /** Whether shadows of its objects are in a field that was added, here or above. */
    boolean hasPlace() {
        for (ClassInfo info = this; info != null; info = info.superInfo()) if (info.isInjected) return true;
        return false;
    }

    synchronized Shadow statics() {
        if (statics == null) {
            statics = new Shadow(staticFields);
            statics.name = Names.ofClass(this);
        }
        return statics;
    }
}
