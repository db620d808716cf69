package trackside.runtime;

import java.lang.StackWalker.StackFrame;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Tells the collections of the program from those that the JDK, or a class that is not watched, keeps for itself behind locks that are not
 * seen: the set of workers of an executor, what is known of open jars. Whoever comes as the second thread decides, by where it comes from.
 */
public final class Internals {
    /** Which classes are watched, apart from those of the JDK. */
    public interface Watched {
        boolean isWatched(String name);
    }

    /** Set before the first class is rewritten. */
    public static Watched watched;

    private static final StackWalker walker = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** Through these a program comes to its own collections. */
    private static final Set<String> TRANSPARENT = Set.of(
            "java.lang.AbstractStringBuilder",
            "java.lang.StringBuffer",
            "java.lang.StringBuilder",
            "java.lang.Iterable",
            "java.util.Arrays",
            "java.util.BitSet",
            "java.util.Calendar",
            "java.util.Dictionary",
            "java.util.GregorianCalendar",
            "java.util.Iterator",
            "java.util.Properties",
            "java.util.Random",
            "java.util.Stack",
            "java.util.Vector",
            "java.util.concurrent.CopyOnWriteArrayList",
            "java.util.concurrent.CopyOnWriteArraySet");

    private Internals() {}

    /** Whether the JDK itself uses the object now, or a class that is not watched; of objects of the program, never. */
    static boolean isInternal(Object object) {
        Class<?> type = object.getClass();
        while (type.isArray()) type = type.getComponentType();
        if (!isOfJdk(type)) return false;
        return walker.walk(Internals::comesFromUnwatched);
    }

    private static boolean comesFromUnwatched(Stream<StackFrame> frames) {
        for (Iterator<StackFrame> each = frames.iterator(); each.hasNext(); ) {
            Class<?> type = each.next().getDeclaringClass();
            String name = type.getName();
            if (name.startsWith("trackside.") || isTransparent(name)) continue;
            return isOfJdk(type) || !watched.isWatched(name.replace('.', '/'));
        }
        return true;
    }

    private static boolean isTransparent(String name) {
        if (TRANSPARENT.contains(name) || name.startsWith("java.util.stream.") || name.startsWith("java.util.function."))
            return true;
        if (!name.startsWith("java.util.") || name.indexOf('.', 10) >= 0) return false;
        return name.contains("Map")
                || name.contains("Set")
                || name.contains("List")
                || name.contains("Collection")
                || name.contains("Deque")
                || name.contains("Queue")
                || name.contains("Hashtable")
                || name.contains("Spliterator")
                || name.startsWith("java.util.Arrays$")
                || name.startsWith("java.util.Vector$");
    }

    private static boolean isOfJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }
}
