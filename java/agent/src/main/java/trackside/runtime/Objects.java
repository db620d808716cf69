package trackside.runtime;

import jdk.internal.misc.Unsafe;

/** Shadows of objects of any kind. */
final class Objects {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final Long NONE = -1L;

    /** Where objects of a class keep their shadows; -1 if they have no place for one. */
    private static final ClassValue<Long> offsets = new ClassValue<>() {
        @Override
        protected Long computeValue(Class<?> type) {
            return find(type);
        }
    };

    private Objects() {}

    static long shadowOffset(Class<?> type) {
        return offsets.get(type);
    }

    private static Long find(Class<?> type) {
        Class<?> highest = null;
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            ClassInfo info = ClassInfo.find(at.getClassLoader(), at.getName().replace('.', '/'));
            if (info != null && info.isInjected) highest = at;
        }
        return highest == null ? NONE : (Long) U.objectFieldOffset(highest, FieldRef.SHADOW);
    }

    static Shadow create(Object object, long offset, int variables) {
        Shadow fresh = new Shadow(variables);
        Object other = U.compareAndExchangeReference(object, offset, null, fresh);
        return other == null ? fresh : (Shadow) other;
    }

    /** Takes from a copy the shadow that it has from its original. */
    static void forget(Object copy, Object original) {
        if (copy.getClass().isArray() || copy.getClass() != original.getClass()) return;
        long offset = shadowOffset(copy.getClass());
        if (offset < 0) return;
        Object shadow = U.getReference(copy, offset);
        if (shadow != null && shadow == U.getReference(original, offset)) U.putReference(copy, offset, null);
    }

    /** The shadow by which the monitor of an object is known. */
    static Shadow ofMonitor(ThreadLog thread, Object object) {
        long offset = object.getClass().isArray() ? -1 : shadowOffset(object.getClass());
        if (offset < 0) return WeakTable.of(thread, object, 0);
        Shadow shadow = (Shadow) U.getReference(object, offset);
        return shadow != null ? shadow : create(object, offset, 0);
    }
}
