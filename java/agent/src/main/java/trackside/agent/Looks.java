package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Finds reads that are only looks, as what counts is looked at again. Those that are only there for a compare-and-set to come, as in
 * `do { old = x.get(); } while (!x.compareAndSet(old, …))`: if another thread comes in between, the swap fails and all is done
 * again, so that such a read cannot be too old.
 */
final class Looks {
    private Looks() {}

    /** Whether the method swaps what it reads here: the same variable is loaded again and goes into a compare-and-set. */
    static boolean isForSwap(InsnList code, MethodInsnNode read) {
        AbstractInsnNode variable = receiver(read);
        if (variable == null) return false;
        boolean isLoaded = false;
        for (AbstractInsnNode at : code) {
            if (at != variable && isSame(at, variable)) isLoaded = true;
            if (isLoaded && at instanceof MethodInsnNode call && isSwap(call) && call.owner.equals(read.owner)) return true;
        }
        return false;
    }

    /**
     * Whether a field is read here only to see whether it has to be read again, under a lock, and written: the first look of a
     * double-checked initialisation. What it saw is not relied on once there is a second one.
     */
    static boolean isFirstCheck(InsnList code, FieldInsnNode read) {
        boolean isPassed = false;
        boolean isLocked = false;
        boolean isReadAgain = false;
        for (AbstractInsnNode at : code) {
            boolean locks = at.getOpcode() == MONITORENTER || at instanceof MethodInsnNode call && LibraryCalls.isLocking(call);
            if (at == read) isPassed = true;
            else if (locks && !isPassed) return false;
            else if (locks) isLocked = true;
            else if (isLocked && at instanceof FieldInsnNode field && isSameField(field, read)) {
                if (field.getOpcode() == read.getOpcode()) isReadAgain = true;
                else if (isReadAgain) return true;
            }
        }
        return false;
    }

    private static boolean isSameField(FieldInsnNode one, FieldInsnNode other) {
        return one.name.equals(other.name) && one.owner.equals(other.owner);
    }

    private static boolean isSwap(MethodInsnNode call) {
        return call.name.startsWith("compareAnd") || call.name.startsWith("weakCompareAndSet");
    }

    /** The instruction that loads what a call is made on, if nothing but simple loads stands between. */
    private static AbstractInsnNode receiver(MethodInsnNode call) {
        AbstractInsnNode at = call.getPrevious();
        int arguments = org.objectweb.asm.Type.getArgumentTypes(call.desc).length;
        for (; at != null; at = at.getPrevious()) {
            boolean isLoad = at instanceof FieldInsnNode field && field.getOpcode() == GETSTATIC
                    || at instanceof VarInsnNode && at.getOpcode() >= ILOAD && at.getOpcode() <= ALOAD;
            if (at.getOpcode() == GETFIELD && arguments == 0) return at;
            boolean isOurs = at instanceof MethodInsnNode probe && probe.owner.startsWith("trackside/");
            if (at.getOpcode() < 0 || isOurs) continue;
            if (!isLoad) return null;
            if (arguments-- == 0) return at;
        }
        return null;
    }

    private static boolean isSame(AbstractInsnNode one, AbstractInsnNode other) {
        if (one.getOpcode() != other.getOpcode()) return false;
        if (one instanceof FieldInsnNode field && other instanceof FieldInsnNode same)
            return isSameField(field, same);
        return one instanceof VarInsnNode local && other instanceof VarInsnNode same && local.var == same.var;
    }
}
