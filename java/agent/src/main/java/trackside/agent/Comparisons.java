package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Whether a value that is read decides only which way the program goes, so that nothing is computed from it. */
final class Comparisons {
    private Comparisons() {}

    /** `until`: the lock under which it is read again. Behind that, a local variable has to get another value before it is used. */
    static boolean isOnlyCompared(AbstractInsnNode read, AbstractInsnNode until) {
        AbstractInsnNode use = next(read);
        if (use.getOpcode() == DUP || use.getOpcode() == DUP2) use = next(use);
        if (!isStore(use)) return isComparison(use);
        int local = ((VarInsnNode) use).var;
        boolean isLocked = false;
        for (AbstractInsnNode at = use.getNext(); at != null; at = at.getNext()) {
            if (at == until) isLocked = true;
            if (!(at instanceof VarInsnNode variable) || variable.var != local) continue;
            if (isStore(at)) {
                if (isLocked) return true;
            } else if (isLocked || !isComparison(next(at)) && !isReturn(next(at))) return false;
        }
        return true;
    }

    /** Whether it is compared with something at all, perhaps after it was put into a local variable. */
    static boolean isCompared(AbstractInsnNode read) {
        AbstractInsnNode use = next(read);
        if (use.getOpcode() == DUP || use.getOpcode() == DUP2) use = next(use);
        if (!isStore(use)) return isComparison(use);
        int local = ((VarInsnNode) use).var;
        for (AbstractInsnNode at = use.getNext(); at != null; at = at.getNext())
            if (at instanceof VarInsnNode variable && variable.var == local && !isStore(at) && isComparison(next(at))) return true;
        return isComparison(next(use));
    }

    /** Whether what a call gives is only handed on to others, so that nothing is decided or computed by it, nor returned. */
    static boolean isHandedOn(MethodInsnNode call) {
        AbstractInsnNode use = next(call);
        if (!isStore(use)) return isGiven(use);
        int local = ((VarInsnNode) use).var;
        boolean isUsed = false;
        for (AbstractInsnNode at = use.getNext(); at != null; at = at.getNext()) {
            if (!(at instanceof VarInsnNode variable) || variable.var != local) continue;
            if (isStore(at)) break;
            if (!isGiven(next(at))) return false;
            isUsed = true;
        }
        return isUsed;
    }

    /** Whether a value on the stack is an argument, perhaps with others. */
    private static boolean isGiven(AbstractInsnNode at) {
        while (at.getOpcode() >= ACONST_NULL && at.getOpcode() <= ALOAD || at.getOpcode() == GETSTATIC) at = next(at);
        boolean isCall = at instanceof MethodInsnNode call && !call.owner.matches("java/lang/(Integer|Long|Math|Boolean)");
        return isCall || at.getOpcode() == INVOKEDYNAMIC;
    }

    /** Whether a number that is read is compared with one only to see whether it is the same. */
    static boolean isForEquality(AbstractInsnNode read) {
        AbstractInsnNode use = next(read);
        if (use.getOpcode() >= ICONST_M1 && use.getOpcode() <= DLOAD || use.getOpcode() == GETSTATIC) use = next(use);
        else if (use.getOpcode() == ALOAD && next(use).getOpcode() == GETFIELD) use = next(next(use));
        if (use.getOpcode() == LCMP) use = next(use);
        int opcode = use.getOpcode();
        return opcode == IFEQ || opcode == IFNE || opcode == IF_ICMPEQ || opcode == IF_ICMPNE;
    }

    /** The next instruction of the program. */
    private static AbstractInsnNode next(AbstractInsnNode at) {
        do at = at.getNext();
        while (at.getOpcode() < 0 || at instanceof MethodInsnNode call && call.owner.startsWith("trackside/"));
        return at;
    }

    private static boolean isStore(AbstractInsnNode at) {
        return at.getOpcode() >= ISTORE && at.getOpcode() <= ASTORE;
    }

    private static boolean isReturn(AbstractInsnNode at) {
        return at.getOpcode() >= IRETURN && at.getOpcode() <= RETURN;
    }

    private static boolean isComparison(AbstractInsnNode at) {
        int opcode = at.getOpcode();
        // A question to what is there.
        if (at instanceof MethodInsnNode call) return call.desc.startsWith("()") && !call.desc.endsWith("V");
        if (isJump(at)) return true;
        boolean isOther = opcode >= ACONST_NULL && opcode <= ALOAD || opcode == GETSTATIC;
        AbstractInsnNode after = isOther ? next(at) : at;
        return isJump(after) || after.getOpcode() >= LCMP && after.getOpcode() <= DCMPG || opcode == INSTANCEOF;
    }

    private static boolean isJump(AbstractInsnNode at) {
        return at instanceof JumpInsnNode && at.getOpcode() != GOTO;
    }
}
