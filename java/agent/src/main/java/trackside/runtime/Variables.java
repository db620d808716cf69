package trackside.runtime;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;

/**
 * The numbers of variables, of locks and of the orders that accesses are kept in, for what several threads use; given to
 * something else when the object is gone and the merger has seen the last of it.
 */
final class Variables {
    /** Watches an object that is shared; its shadow does not know it. Also its finalizer has to be over. */
    static final class Life extends PhantomReference<Object> {
        final Shadow shadow;
        Life next;
        Life previous;

        Life(Object object, Shadow shadow) {
            super(object, dead);
            this.shadow = shadow;
        }
    }

    private static final ReferenceQueue<Object> dead = new ReferenceQueue<>();
    /** All lives, so that they are not collected themselves. */
    private static Life lives;

    private static final SpinLock lock = new SpinLock();

    private static final Numbers variables = new Numbers();
    private static final Numbers locks = new Numbers();
    private static final Numbers keys = new Numbers();

    private Variables() {}

    static int define(String name) {
        return variables.take(name);
    }

    /** The variable is gone, and the merger has seen the last of it. */
    static void undefine(int number) {
        variables.give(number);
    }

    static int defineLock(String name) {
        return locks.take(name);
    }

    static String variableName(int number) {
        return variables.name(number);
    }

    static String lockName(int number) {
        return locks.name(number);
    }

    /** From now on several threads use the object; null for a class, which stays. */
    static void share(Object object, Shadow shadow) {
        shadow.key = keys.take(null);
        if (object == null) return;
        Life life = new Life(object, shadow);
        lock.lock();
        life.next = lives;
        if (lives != null) lives.previous = life;
        lives = life;
        lock.unlock();
    }

    /** A shadow whose object is gone; null if there is none. */
    static Life nextDead() {
        return (Life) dead.poll();
    }

    /** The numbers of the shadow are free for others. */
    static void free(Life life) {
        lock.lock();
        if (life.next != null) life.next.previous = life.previous;
        if (life.previous != null) life.previous.next = life.next;
        else lives = life.next;
        lock.unlock();
        Shadow shadow = life.shadow;
        keys.give(shadow.key);
        if (shadow.lockId >= 0) locks.give(shadow.lockId);
        int[] state = shadow.state;
        for (int i = Shadow.VARIABLE; i < state.length; i += Shadow.PARTS) if (state[i] != 0) variables.give(state[i] - 1);
    }

    private static final class Numbers {
        private final SpinLock lock = new SpinLock();
        private String[] names = new String[1024];
        private int count;
        private int[] free = new int[64];
        private int freeCount;

        int take(String name) {
            lock.lock();
            try {
                int number = freeCount > 0 ? free[--freeCount] : count++;
                if (number >= names.length) names = java.util.Arrays.copyOf(names, 2 * names.length);
                names[number] = name;
                return number;
            } finally {
                lock.unlock();
            }
        }

        void give(int number) {
            lock.lock();
            try {
                if (freeCount == free.length) free = java.util.Arrays.copyOf(free, 2 * freeCount);
                free[freeCount++] = number;
            } finally {
                lock.unlock();
            }
        }

        /** Handed out once: the merger writes it down. */
        String name(int number) {
            lock.lock();
            String name = names[number];
            names[number] = null;
            lock.unlock();
            return name;
        }
    }
}
