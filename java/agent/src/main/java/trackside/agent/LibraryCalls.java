package trackside.agent;

import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** Calls of the JDK that have a meaning for threads, by what stands in the code of the program. */
final class LibraryCalls {
    private static final String LOCKS = "java/util/concurrent/locks/";
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

    private LibraryCalls() {}

    static boolean isLocking(MethodInsnNode call) {
        return call.owner.startsWith(LOCKS)
                && (call.name.equals("lock") || call.name.equals("lockInterruptibly") || call.name.equals("tryLock"));
    }

    static boolean isObjectWait(MethodInsnNode call) {
        return call.name.equals("wait")
                && (call.desc.equals("()V") || call.desc.equals("(J)V") || call.desc.equals("(JI)V"));
    }

    static boolean isWaiting(MethodInsnNode call) {
        if (isObjectWait(call)) return true;
        if (call.owner.equals("java/lang/Thread")) return call.name.equals("join") || call.name.equals("sleep");
        if (!call.owner.startsWith("java/util/concurrent/") || !WAITING.contains(call.name)) return false;
        // Maps and atomics have a get that waits for nobody.
        return !call.name.equals("get") || call.owner.endsWith("Future");
    }
}
