package trackside.runtime;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Whoever uses a class comes after its initialisation, of which the JVM takes care without a lock that could be seen. */
public final class Initialisations {
    private Initialisations() {}

    public static void done(Class<?> type) {
        ThreadLog thread = Probes.enter();
        if (thread == null || !Config.complete) return;
        thread.busy = true;
        Shadow shadow;
        try {
            ClassInfo info = ClassInfo.find(type.getClassLoader(), type.getName().replace('.', '/'));
            shadow = info == null ? null : info.statics();
        } finally {
            thread.busy = false;
        }
        if (shadow == null) return;
        Signals.signal(thread, shadow, null, Records.NOTIFY, 0);
        shadow.isInitialised = true;
    }

    /** The first use of the class by the thread. */
    static void before(ThreadLog thread, Shadow shadow) {
        if (!shadow.isInitialised) return;
        thread.busy = true;
        try {
            Set<Object> known = thread.knownClasses;
            if (known == null) thread.knownClasses = known = Collections.newSetFromMap(new IdentityHashMap<>());
            if (!known.add(shadow)) return;
        } finally {
            thread.busy = false;
        }
        Signals.signal(thread, shadow, null, Records.WAIT, 0);
    }
}
