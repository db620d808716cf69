package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** What JaCoCo has put into a class before us: it notes in an array of its own, kept in a local variable, where the program has been. */
final class Coverage {
    private Coverage() {}

    static boolean isMeasured(ClassNode type) {
        for (MethodNode method : type.methods) if (method.name.equals("$jacocoInit")) return true;
        return false;
    }

    /** `probes[3] = true`, of a class that is measured. */
    static boolean isProbe(AbstractInsnNode at) {
        if (at.getOpcode() != BASTORE) return false;
        AbstractInsnNode value = before(at);
        AbstractInsnNode index = before(value);
        AbstractInsnNode array = before(index);
        return value != null && value.getOpcode() == ICONST_1 && array != null && array.getOpcode() == ALOAD;
    }

    private static AbstractInsnNode before(AbstractInsnNode at) {
        AbstractInsnNode before = at == null ? null : at.getPrevious();
        while (before != null && before.getOpcode() < 0) before = before.getPrevious();
        return before;
    }
}
