package trackside.runtime;

import java.util.concurrent.atomic.AtomicInteger;

/** What things are called in the trace. */
final class Names {
    private static final AtomicInteger objects = new AtomicInteger();
    private static final java.util.HashMap<String, Integer> classes = new java.util.HashMap<>();

    private Names() {}

    /** `Entry` of `java/util/Map$Entry`; the outer class stays if the inner one has no name of its own. */
    static String simple(String name) {
        int cut = Math.max(name.lastIndexOf('/'), name.lastIndexOf('.'));
        String last = name.substring(cut + 1);
        int dollar = last.lastIndexOf('$');
        boolean isNamed = dollar > 0 && dollar + 1 < last.length() && !Character.isDigit(last.charAt(dollar + 1));
        return isNamed ? last.substring(dollar + 1) : last;
    }

    /** A class that was loaded by several loaders is several classes. */
    static String ofClass(ClassInfo info) {
        String name = info.name.replace('/', '.');
        synchronized (classes) {
            String own = "#" + name + "\0" + System.identityHashCode(info);
            Integer number = classes.get(own);
            if (number == null) {
                number = classes.getOrDefault(name, 0) + 1;
                classes.put(name, number);
                classes.put(own, number);
            }
            return suffixed(name, number);
        }
    }

    private static String suffixed(String name, int number) {
        return number == 1 ? name : name + "~" + number;
    }

    /** `Account@1f`, `int[]@20`, `class bank.Account`. */
    static String ofObject(Object object) {
        if (object instanceof Class<?> type) return "class " + type.getName();
        String name = simple(typeName(object.getClass()));
        return name + "@" + Integer.toHexString(objects.incrementAndGet());
    }

    private static String typeName(Class<?> type) {
        if (type.isArray()) return simple(typeName(type.getComponentType())) + "[]";
        String name = type.getName();
        // Classes of lambdas are called by where they stand.
        int hidden = name.indexOf('/');
        return hidden < 0 ? name : name.substring(0, hidden);
    }
}
