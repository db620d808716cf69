package trackside.runtime;

import jdk.internal.misc.Unsafe;

/**
 * For what is done while the shadow of an object is locked. A virtual thread that waited for a monitor there would give its carrier
 * to others, which may be waiting for that shadow.
 */
final class SpinLock {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long HELD = U.objectFieldOffset(SpinLock.class, "held");
    private static final Class<?> VIRTUAL = virtual();

    private int held;

    void lock() {
        for (int spins = 0; !U.compareAndSetInt(this, HELD, 0, 1); spins++) {
            Thread.onSpinWait();
            if ((spins & 255) == 255 && !isVirtual(Thread.currentThread())) Thread.yield();
        }
    }

    boolean tryLock() {
        return U.compareAndSetInt(this, HELD, 0, 1);
    }

    void unlock() {
        U.putIntRelease(this, HELD, 0);
    }

    static boolean isVirtual(Thread thread) {
        return VIRTUAL != null && VIRTUAL.isInstance(thread);
    }

    private static Class<?> virtual() {
        try {
            return Class.forName("java.lang.BaseVirtualThread", false, null);
        } catch (ClassNotFoundException before21) {
            return null;
        }
    }
}
