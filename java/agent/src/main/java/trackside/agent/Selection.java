package trackside.agent;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import trackside.runtime.Internals;
import trackside.runtime.Notes;

/** Which classes are watched. */
final class Selection implements Internals.Watched {
    /** Of the JDK: what programs keep their data in, and where published bugs were. */
    private static final Set<String> JDK = Set.of(
            "java/lang/AbstractStringBuilder",
            "java/lang/StringBuffer",
            "java/util/AbstractList",
            "java/util/AbstractList$Itr",
            "java/util/ArrayDeque",
            "java/util/ArrayDeque$DeqIterator",
            "java/util/ArrayList",
            "java/util/ArrayList$Itr",
            "java/util/ArrayList$ListItr",
            "java/util/BitSet",
            "java/util/Calendar",
            "java/util/GregorianCalendar",
            "java/util/HashMap",
            "java/util/HashMap$Node",
            "java/util/HashMap$TreeNode",
            "java/util/HashMap$HashIterator",
            "java/util/Hashtable",
            "java/util/Hashtable$Entry",
            "java/util/Hashtable$Enumerator",
            "java/util/IdentityHashMap",
            "java/util/LinkedHashMap",
            "java/util/LinkedHashMap$Entry",
            "java/util/LinkedList",
            "java/util/LinkedList$ListItr",
            "java/util/LinkedList$Node",
            "java/util/PriorityQueue",
            "java/util/PriorityQueue$Itr",
            "java/util/Random",
            "java/util/Stack",
            "java/util/TreeMap",
            "java/util/TreeMap$Entry",
            "java/util/Vector",
            "java/util/Vector$Itr",
            "java/util/WeakHashMap",
            "java/util/concurrent/CopyOnWriteArrayList");

    /**
     * Of those, what we use ourselves while we rewrite a class, and the JVM does not load by itself. It shows us no class then, so they have
     * to be there before.
     */
    private static final String[] USED_WHILE_REWRITING = {"java/util/ArrayDeque", "java/util/ArrayDeque$DeqIterator", "java/util/BitSet"};

    /** What runs programs and tests, and watches them: what happens in there is not what is asked about. */
    private static final String[] FRAMEWORKS = {
        "org/junit/", "junit/framework/", "junit/runner/", "junit/textui/", "org/testng/", "org/hamcrest/",
        "org/opentest4j/", "org/apiguardian/", "org/mockito/", "net/bytebuddy/", "org/objenesis/", "org/assertj/",
        "org/apache/maven/", "org/codehaus/plexus/", "org/eclipse/aether/", "org/eclipse/sisu/", "com/google/inject/",
        "io/opentelemetry/javaagent/", "datadog/trace/", "co/elastic/apm/agent/", "com/newrelic/",
        "org/gradle/", "worker/org/gradle/", "org/jacoco/", "org/objectweb/asm/", "com/intellij/rt/",
        "org/springframework/boot/loader/",
    };

    private final Options options;
    private final Set<String> said = ConcurrentHashMap.newKeySet();

    Selection(Options options) {
        this.options = options;
    }

    static boolean isOfJdk(ClassLoader loader) {
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    /** Classes that are to be watched, and would be loaded unseen later on. */
    void load(Set<Class<?>> loaded) throws ClassNotFoundException {
        for (String name : USED_WHILE_REWRITING)
            if (isWatchedOfJdk(name)) loaded.add(Class.forName(name.replace('/', '.'), false, null));
    }

    boolean isWatchedOfJdk(String name) {
        if (!options.watchesJdk) return false;
        if (JDK.contains(name) || name.startsWith("java/util/Collections$Synchronized")) return true;
        return isNamed(name, false);
    }

    @Override
    public boolean isWatched(String name) {
        if (isNamed(name, true)) return false;
        if (isNamed(name, false)) return true;
        for (String framework : FRAMEWORKS) {
            if (!name.startsWith(framework)) continue;
            if (said.add(framework))
                Notes.say("Not watched: " + framework.replace('/', '.') + "*, as it runs programs; --instrument '"
                        + framework.replace('/', '.') + "*' watches it all the same.");
            return false;
        }
        return true;
    }

    /** By `--instrument`, or by `--instrument '!…'`. */
    private boolean isNamed(String name, boolean isLeftOut) {
        String dotted = name.replace('/', '.');
        for (String glob : options.instrument) {
            boolean isNegative = glob.startsWith("!");
            if (isNegative == isLeftOut && Glob.matches(isNegative ? glob.substring(1) : glob, dotted)) return true;
        }
        return false;
    }
}
