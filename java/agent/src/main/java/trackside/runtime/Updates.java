package trackside.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * What is called instead of the methods of atomic variables that are given a function of the program. They do what the JDK does:
 * compute and try to swap until nobody came in between. The function runs as any code of the program; the access is the swap
 * that comes through.
 */
public final class Updates {
    private Updates() {}

    public static int getAndUpdate(AtomicInteger v, IntUnaryOperator f, int site) {
        for (; ; ) {
            int old = v.get();
            int fresh = f.applyAsInt(old);
            Atomics.testing(v, -1, site);
            if (Atomics.swapped(v.compareAndSet(old, fresh))) return old;
        }
    }

    public static int updateAndGet(AtomicInteger v, IntUnaryOperator f, int site) {
        for (; ; ) {
            int old = v.get();
            int fresh = f.applyAsInt(old);
            Atomics.testing(v, -1, site);
            if (Atomics.swapped(v.compareAndSet(old, fresh))) return fresh;
        }
    }

    public static int getAndAccumulate(AtomicInteger v, int x, IntBinaryOperator f, int site) {
        for (; ; ) {
            int old = v.get();
            int fresh = f.applyAsInt(old, x);
            Atomics.testing(v, -1, site);
            if (Atomics.swapped(v.compareAndSet(old, fresh))) return old;
        }
    }

    public static int accumulateAndGet(AtomicInteger v, int x, IntBinaryOperator f, int site) {
        for (; ; ) {
            int old = v.get();
            int fresh = f.applyAsInt(old, x);
            Atomics.testing(v, -1, site);
            if (Atomics.swapped(v.compareAndSet(old, fresh))) return fresh;
        }
    }

    public static int getAndUpdate(AtomicIntegerArray v, int i, IntUnaryOperator f, int site) {
        for (; ; ) {
            int old = v.get(i);
            int fresh = f.applyAsInt(old);
            Atomics.testing(v, i, site);
            if (Atomics.swapped(v.compareAndSet(i, old, fresh))) return old;
        }
    }

    public static int updateAndGet(AtomicIntegerArray v, int i, IntUnaryOperator f, int site) {
        for (; ; ) {
            int old = v.get(i);
            int fresh = f.applyAsInt(old);
            Atomics.testing(v, i, site);
            if (Atomics.swapped(v.compareAndSet(i, old, fresh))) return fresh;
        }
    }

    public static int getAndAccumulate(AtomicIntegerArray v, int i, int x, IntBinaryOperator f, int site) {
        for (; ; ) {
            int old = v.get(i);
            int fresh = f.applyAsInt(old, x);
            Atomics.testing(v, i, site);
            if (Atomics.swapped(v.compareAndSet(i, old, fresh))) return old;
        }
    }

    public static int accumulateAndGet(AtomicIntegerArray v, int i, int x, IntBinaryOperator f, int site) {
        for (; ; ) {
            int old = v.get(i);
            int fresh = f.applyAsInt(old, x);
            Atomics.testing(v, i, site);
            if (Atomics.swapped(v.compareAndSet(i, old, fresh))) return fresh;
        }
    }

    public static long getAndUpdate(AtomicLong v, LongUnaryOperator f, int site) {
        for (; ; ) {
            long old = v.get();
            long fresh = f.applyAsLong(old);
            Atomics.testing(v, -1, site);
            if (Atomics.swapped(v.compareAndSet(old, fresh))) return old;
        }
    }

    public static long updateAndGet(AtomicLong v, LongUnaryOperator f, int site) {
        for (; ; ) {
            long old = v.get();
            long fresh = f.applyAsLong(old);
            Atomics.testing(v, -1, site);
            if (Atomics.swapped(v.compareAndSet(old, fresh))) return fresh;
        }
    }

    public static long getAndAccumulate(AtomicLong v, long x, LongBinaryOperator f, int site) {
        for (; ; ) {
            long old = v.get();
            long fresh = f.applyAsLong(old, x);
            Atomics.testing(v, -1, site);
            if (Atomics.swapped(v.compareAndSet(old, fresh))) return old;
        }
    }

    public static long accumulateAndGet(AtomicLong v, long x, LongBinaryOperator f, int site) {
        for (; ; ) {
            long old = v.get();
            long fresh = f.applyAsLong(old, x);
            Atomics.testing(v, -1, site);
            if (Atomics.swapped(v.compareAndSet(old, fresh))) return fresh;
        }
    }

    public static long getAndUpdate(AtomicLongArray v, int i, LongUnaryOperator f, int site) {
        for (; ; ) {
            long old = v.get(i);
            long fresh = f.applyAsLong(old);
            Atomics.testing(v, i, site);
            if (Atomics.swapped(v.compareAndSet(i, old, fresh))) return old;
        }
    }

    public static long updateAndGet(AtomicLongArray v, int i, LongUnaryOperator f, int site) {
        for (; ; ) {
            long old = v.get(i);
            long fresh = f.applyAsLong(old);
            Atomics.testing(v, i, site);
            if (Atomics.swapped(v.compareAndSet(i, old, fresh))) return fresh;
        }
    }

    public static long getAndAccumulate(AtomicLongArray v, int i, long x, LongBinaryOperator f, int site) {
        for (; ; ) {
            long old = v.get(i);
            long fresh = f.applyAsLong(old, x);
            Atomics.testing(v, i, site);
            if (Atomics.swapped(v.compareAndSet(i, old, fresh))) return old;
        }
    }

    public static long accumulateAndGet(AtomicLongArray v, int i, long x, LongBinaryOperator f, int site) {
        for (; ; ) {
            long old = v.get(i);
            long fresh = f.applyAsLong(old, x);
            Atomics.testing(v, i, site);
            if (Atomics.swapped(v.compareAndSet(i, old, fresh))) return fresh;
        }
    }

    public static <V> V getAndUpdate(AtomicReference<V> v, UnaryOperator<V> f, int site) {
        for (; ; ) {
            V old = v.get();
            V fresh = f.apply(old);
            Atomics.testing(v, -1, site);
            if (Atomics.swapped(v.compareAndSet(old, fresh))) return old;
        }
    }

    public static <V> V updateAndGet(AtomicReference<V> v, UnaryOperator<V> f, int site) {
        for (; ; ) {
            V old = v.get();
            V fresh = f.apply(old);
            Atomics.testing(v, -1, site);
            if (Atomics.swapped(v.compareAndSet(old, fresh))) return fresh;
        }
    }

    public static <V> V getAndAccumulate(AtomicReference<V> v, V x, BinaryOperator<V> f, int site) {
        for (; ; ) {
            V old = v.get();
            V fresh = f.apply(old, x);
            Atomics.testing(v, -1, site);
            if (Atomics.swapped(v.compareAndSet(old, fresh))) return old;
        }
    }

    public static <V> V accumulateAndGet(AtomicReference<V> v, V x, BinaryOperator<V> f, int site) {
        for (; ; ) {
            V old = v.get();
            V fresh = f.apply(old, x);
            Atomics.testing(v, -1, site);
            if (Atomics.swapped(v.compareAndSet(old, fresh))) return fresh;
        }
    }

    public static <V> V getAndUpdate(AtomicReferenceArray<V> v, int i, UnaryOperator<V> f, int site) {
        for (; ; ) {
            V old = v.get(i);
            V fresh = f.apply(old);
            Atomics.testing(v, i, site);
            if (Atomics.swapped(v.compareAndSet(i, old, fresh))) return old;
        }
    }

    public static <V> V updateAndGet(AtomicReferenceArray<V> v, int i, UnaryOperator<V> f, int site) {
        for (; ; ) {
            V old = v.get(i);
            V fresh = f.apply(old);
            Atomics.testing(v, i, site);
            if (Atomics.swapped(v.compareAndSet(i, old, fresh))) return fresh;
        }
    }

    public static <V> V getAndAccumulate(AtomicReferenceArray<V> v, int i, V x, BinaryOperator<V> f, int site) {
        for (; ; ) {
            V old = v.get(i);
            V fresh = f.apply(old, x);
            Atomics.testing(v, i, site);
            if (Atomics.swapped(v.compareAndSet(i, old, fresh))) return old;
        }
    }

    public static <V> V accumulateAndGet(AtomicReferenceArray<V> v, int i, V x, BinaryOperator<V> f, int site) {
        for (; ; ) {
            V old = v.get(i);
            V fresh = f.apply(old, x);
            Atomics.testing(v, i, site);
            if (Atomics.swapped(v.compareAndSet(i, old, fresh))) return fresh;
        }
    }
}
