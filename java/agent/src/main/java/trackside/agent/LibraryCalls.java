package trackside.agent;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.regex.Pattern;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/** Calls of the JDK that have a meaning for threads, by what stands in the code of the program. */
final class LibraryCalls {
    private static final String LOCKS = "java/util/concurrent/locks/";
    private static final Set<String> GIVING = Set.of("submit", "execute", "supplyAsync", "runAsync");

    private static final Set<String> WAITING = Set.of(
            "await",
            "awaitNanos",
            "awaitUntil",
            "awaitUninterruptibly",
            "awaitTermination",
            "take",
            "join",
            "get",
            "park",
            "parkNanos");

    enum Meaning {
        LOCK,
        TRY_LOCK,
        UNLOCK,
        ATOMIC,
        STAMPED,
        NONE
    }

    enum AtomicKind {
        READ,
        WRITE,
        CHANGE,
        UPDATE,
        TEST,
        /** It is given a function of the program. */
        FUNCTION,
        NONE
    }

    private LibraryCalls() {}

    static Meaning meaningOf(MethodInsnNode call) {
        if (call.owner.startsWith("java/util/concurrent/atomic/")) return Meaning.ATOMIC;
        if (call.owner.equals(LOCKS + "StampedLock")) return Meaning.STAMPED;
        if (call.owner.startsWith(LOCKS)) {
            return switch (call.name) {
                case "lock", "lockInterruptibly" -> call.desc.equals("()V") ? Meaning.LOCK : Meaning.NONE;
                case "tryLock" -> Meaning.TRY_LOCK;
                case "unlock" -> Meaning.UNLOCK;
                default -> Meaning.NONE;
            };
        }
        return Meaning.NONE;
    }

    /** What a method of a queue does; the first ones return at once and throw nothing. */
    enum QueueKind {
        OFFER,
        POLL,
        PEEK,
        EMPTY,
        COUNT,
        /** These may wait, or throw. */
        PUT,
        TAKE,
        /** And may have taken nothing: their result says so. */
        TRY_TAKE,
        NONE
    }

    static QueueKind queueKind(MethodInsnNode call) {
        boolean isConcurrent = call.owner.startsWith("java/util/concurrent/")
                && call.owner.indexOf('/', "java/util/concurrent/".length()) < 0
                && (call.owner.endsWith("Queue") || call.owner.endsWith("Deque"));
        boolean isAny = call.owner.equals("java/util/Queue") || call.owner.equals("java/util/Deque");
        if (!isConcurrent && !isAny) return QueueKind.NONE;
        boolean isTimed = call.desc.contains("TimeUnit");
        return switch (call.name) {
            case "offer", "offerFirst", "offerLast" -> isTimed ? QueueKind.PUT : QueueKind.OFFER;
            case "put", "add", "transfer", "tryTransfer", "putFirst", "putLast", "addFirst", "addLast", "push" ->
                QueueKind.PUT;
            case "poll", "pollFirst", "pollLast" -> isTimed ? QueueKind.TRY_TAKE : QueueKind.POLL;
            case "peek", "peekFirst", "peekLast" -> QueueKind.PEEK;
            case "isEmpty" -> QueueKind.EMPTY;
            case "size", "remainingCapacity" -> QueueKind.COUNT;
            case "remove" -> call.desc.startsWith("()") ? QueueKind.TAKE : QueueKind.TRY_TAKE;
            case "take", "takeFirst", "takeLast", "removeFirst", "removeLast", "pop", "drainTo" -> QueueKind.TAKE;
            default -> QueueKind.NONE;
        };
    }

    /** What a method of an atomic variable does. */
    static AtomicKind atomicKind(String owner, String name) {
        boolean isAdder = owner.endsWith("Adder") || owner.endsWith("Accumulator");
        if (isAdder)
            return switch (name) {
                case "add", "increment", "decrement", "accumulate" -> AtomicKind.UPDATE;
                case "sum", "get", "intValue", "longValue", "doubleValue" -> AtomicKind.READ;
                case "reset", "sumThenReset", "getThenReset" -> AtomicKind.WRITE;
                default -> AtomicKind.NONE;
            };
        return switch (name) {
            case "get", "getPlain", "getAcquire", "getOpaque", "intValue", "longValue", "getReference", "isMarked",
                    "getStamp" -> AtomicKind.READ;
            case "set", "lazySet", "setPlain", "setRelease", "setOpaque" -> AtomicKind.WRITE;
            case "getAndSet", "compareAndExchange", "compareAndExchangeAcquire", "compareAndExchangeRelease" ->
                AtomicKind.CHANGE;
            case "getAndIncrement", "getAndDecrement", "getAndAdd", "incrementAndGet", "decrementAndGet", "addAndGet" ->
                AtomicKind.UPDATE;
            case "compareAndSet", "weakCompareAndSet", "weakCompareAndSetPlain", "weakCompareAndSetVolatile",
                    "weakCompareAndSetAcquire", "weakCompareAndSetRelease", "attemptMark", "attemptStamp" ->
                AtomicKind.TEST;
            case "getAndUpdate", "updateAndGet", "getAndAccumulate", "accumulateAndGet" -> AtomicKind.FUNCTION;
            default -> AtomicKind.NONE;
        };
    }

    private static final Pattern MORE = Pattern.compile("add(First|Last|All|Element|IfAbsent)?|offer\\w*|push|insertElementAt|\\w*[iI]ncrement\\w*");
    private static final Pattern LESS = Pattern.compile("remove\\w*|poll\\w*|pop|clear|retainAll|\\w*[dD]ecrement\\w*");

    /** How a place says that there is more, or less, in a collection or a counter after it; empty if nobody knows. */
    static String direction(MethodInsnNode call) {
        boolean isMap = call.owner.contains("Map") || call.owner.endsWith("Hashtable") || call.owner.endsWith("Properties");
        // A number may be added that is less than nothing.
        if (isMap || call.owner.startsWith("java/util/concurrent/atomic/") && call.name.equals("add")) return "";
        if (MORE.matcher(call.name).matches()) return ", one more";
        if (call.name.equals("clear") || call.name.equals("removeAllElements")) return ", one less, none left";
        return LESS.matcher(call.name).matches() ? ", one less" : "";
    }

    /** Whether it is a method of that class of the JDK, and not one of the same name that a class below it has. */
    static boolean isOf(String owner, MethodInsnNode call) {
        try {
            for (Method each : Class.forName(owner.replace('/', '.')).getMethods())
                if (each.getName().equals(call.name) && Type.getMethodDescriptor(each).equals(call.desc)) return true;
        } catch (ClassNotFoundException | LinkageError unknown) {
            // Then it is not one that has a meaning here.
        }
        return false;
    }

    static boolean isMap(MethodInsnNode call) {
        return switch (call.owner) {
            case "java/util/Map", "java/util/SortedMap", "java/util/NavigableMap", "java/util/concurrent/ConcurrentMap",
                    "java/util/concurrent/ConcurrentHashMap", "java/util/concurrent/ConcurrentNavigableMap",
                    "java/util/concurrent/ConcurrentSkipListMap", "java/util/Properties" -> true;
            default -> false;
        };
    }

    /** Of a map or a set of keys: how many there are, or whether there are any. */
    static boolean isCount(MethodInsnNode call) {
        boolean isNamed = call.name.equals("size") || call.name.equals("isEmpty") || call.name.equals("mappingCount");
        if (!isNamed || !call.desc.equals("()I") && !call.desc.equals("()Z") && !call.desc.equals("()J")) return false;
        return isMap(call) || isKeySet(call);
    }

    private static boolean isKeySet(MethodInsnNode call) {
        return switch (call.owner) {
            case "java/util/Set", "java/util/SortedSet", "java/util/NavigableSet",
                    "java/util/concurrent/ConcurrentHashMap$KeySetView", "java/util/concurrent/ConcurrentSkipListSet" -> true;
            default -> false;
        };
    }

    private static final Pattern CHOOSING = Pattern.compile(
            "(first|last)(Key|Entry)?|(ceiling|floor|higher|lower)(Key|Entry)?|get(First|Last)|poll(First|Last)(Entry)?");

    /** Whether a sorted map or set tells by it which of its keys is the next one; `poll…` takes it out as well. */
    static boolean isChoosing(MethodInsnNode call) {
        boolean isSorted = switch (call.owner) {
            case "java/util/SortedMap", "java/util/SortedSet", "java/util/NavigableMap", "java/util/NavigableSet",
                    "java/util/TreeMap", "java/util/TreeSet", "java/util/concurrent/ConcurrentNavigableMap",
                    "java/util/concurrent/ConcurrentSkipListMap", "java/util/concurrent/ConcurrentSkipListSet" -> true;
            default -> false;
        };
        return isSorted && call.desc.contains(")L") && CHOOSING.matcher(call.name).matches();
    }

    /** Of a set that may be the keys of a concurrent map: a method that is about one key, and says by its result what it did. */
    static boolean isOfKeySet(MethodInsnNode call) {
        return isKeySet(call) && call.desc.equals("(Ljava/lang/Object;)Z") && call.name.matches("contains|add|remove");
    }

    /** What is told after a method of a map that looks at one key; null for other methods. */
    static String mapEnd(MethodInsnNode call) {
        return switch (call.name) {
            case "get", "getOrDefault", "containsKey", "getProperty" -> "read";
            case "put", "setProperty" -> "put";
            case "putIfAbsent" -> "triedIfAbsent";
            case "remove" -> call.desc.endsWith(")Z") ? "tried" : "removed";
            case "replace" -> call.desc.endsWith(")Z") ? "tried" : "removed";
            case "computeIfAbsent" -> "computedIfAbsent";
            case "computeIfPresent", "compute", "merge" -> "computed";
            default -> null;
        };
    }

    static AtomicKind handleKind(MethodInsnNode call) {
        return switch (call.name) {
            case "get", "getVolatile", "getAcquire", "getOpaque" -> AtomicKind.READ;
            case "set", "setVolatile", "setRelease", "setOpaque" -> AtomicKind.WRITE;
            case "compareAndSet", "weakCompareAndSet", "weakCompareAndSetPlain", "weakCompareAndSetAcquire",
                    "weakCompareAndSetRelease" -> AtomicKind.TEST;
            case "getAndAdd", "getAndAddAcquire", "getAndAddRelease" -> AtomicKind.UPDATE;
            default ->
                call.name.startsWith("getAnd") || call.name.startsWith("compareAndExchange")
                        ? AtomicKind.CHANGE
                        : AtomicKind.NONE;
        };
    }

    static boolean isOfLock(MethodInsnNode call) {
        return call.owner.startsWith(LOCKS);
    }

    static boolean isLocking(MethodInsnNode call) {
        return call.owner.startsWith(LOCKS)
                && (call.name.equals("lock")
                        || call.name.equals("lockInterruptibly")
                        || call.name.equals("tryLock")
                        || call.owner.endsWith("StampedLock"));
    }

    static boolean isObjectWait(MethodInsnNode call) {
        return call.name.equals("wait")
                && (call.desc.equals("()V") || call.desc.equals("(J)V") || call.desc.equals("(JI)V"));
    }

    /** Whether a lock that the thread has is free for others while it waits. */
    static boolean givesUpLock(MethodInsnNode call) {
        return isObjectWait(call) || call.owner.equals(LOCKS + "Condition") && call.name.startsWith("await");
    }

    static boolean isWaiting(MethodInsnNode call) {
        if (givesUpLock(call)) return true;
        if (call.owner.equals("java/lang/Thread")) return call.name.equals("join");
        if (!call.owner.startsWith("java/util/concurrent/") || !WAITING.contains(call.name)) return false;
        // Maps and atomics have a get that waits for nobody.
        return !call.name.equals("get")
                || call.owner.endsWith("Future")
                || call.owner.endsWith("FutureTask")
                || call.owner.endsWith("ForkJoinTask");
    }

    static boolean isYield(MethodInsnNode call) {
        return call.owner.equals("java/lang/Thread") && call.name.equals("yield") && call.desc.equals("()V");
    }

    /** Whether work is given to others that may be waited for later. */
    static boolean givesWork(MethodInsnNode call) {
        return call.owner.startsWith("java/util/concurrent/") && GIVING.contains(call.name);
    }

    /** Whether others may be given time by it. */
    static boolean mayPause(MethodInsnNode call) {
        boolean isOfThread = call.owner.equals("java/lang/Thread") || call.owner.equals(LOCKS + "LockSupport");
        return isWaiting(call) || isOfThread && call.name.matches("sleep|yield|onSpinWait|park\\w*");
    }
}
