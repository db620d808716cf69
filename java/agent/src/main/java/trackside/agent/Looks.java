package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
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
     * double-checked initialisation. What it saw is not relied on once there is a second one. The first look may have been under
     * a lock as well, such as one for reading, that is given back before.
     */
    static boolean isFirstCheck(InsnList code, FieldInsnNode read) {
        boolean isPassed = false;
        boolean isFree = true;
        AbstractInsnNode lock = null;
        boolean isReadAgain = false;
        for (AbstractInsnNode at : code) {
            if (at == read) isPassed = true;
            else if (unlocks(at)) isFree = true;
            else if (locks(at)) {
                if (isPassed && !isFree) return false;
                if (isPassed && lock == null) lock = at;
                isFree = isPassed;
            } else if (lock != null && at instanceof FieldInsnNode field && isSameField(field, read)) {
                // `n++` reads it as well, and checks nothing.
                if (field.getOpcode() == read.getOpcode()) isReadAgain |= Comparisons.isCompared(field);
                else if (isReadAgain) return Comparisons.isOnlyCompared(read, lock);
            }
        }
        return false;
    }

    /**
     * The same of a collection: it is asked here whether something is in it, and again under a lock, before that is changed.
     */
    static boolean isFirstCheck(InsnList code, MethodInsnNode check) {
        if (!check.owner.startsWith("java/util/") || !CHECKS.contains(check.name)) return false;
        AbstractInsnNode variable = receiver(check);
        if (variable == null) return false;
        boolean isPassed = false;
        boolean isLocked = false;
        boolean isCheckedAgain = false;
        for (AbstractInsnNode at : code) {
            if (at == check) isPassed = true;
            else if (isPassed && locks(at)) isLocked = true;
            else if (isLocked && at instanceof MethodInsnNode call && call.owner.startsWith("java/util/")) {
                // What is put in may be computed on the way, so that it is not easy to see where it goes.
                if (isCheckedAgain && CHANGES.matcher(call.name).lookingAt()) return true;
                AbstractInsnNode again = isSameCheck(call, check) ? receiver(call) : null;
                if (again != null && isSame(again, variable)) isCheckedAgain = true;
            }
        }
        return false;
    }

    private static final java.util.Set<String> CHECKS =
            java.util.Set.of("get", "getOrDefault", "containsKey", "contains", "isEmpty", "size", "peek", "indexOf");

    private static final java.util.regex.Pattern CHANGES =
            java.util.regex.Pattern.compile("put|add|set|remove|compute|merge|push|offer|insert");

    private static boolean isSameCheck(MethodInsnNode one, MethodInsnNode other) {
        if (!one.name.equals(other.name) || !one.desc.equals(other.desc)) return false;
        return one.desc.startsWith("()") || isSame(argument(one), argument(other));
    }

    private static AbstractInsnNode argument(MethodInsnNode call) {
        AbstractInsnNode at = call.getPrevious();
        while (at != null && (at.getOpcode() < 0 || isOurs(at) || isConversion(at))) at = (isTold(at) ? at.getPrevious() : at).getPrevious();
        return at;
    }

    static boolean hasLock(InsnList code) {
        for (AbstractInsnNode at = code.getFirst(); at != null; at = at.getNext()) if (locks(at)) return true;
        return false;
    }

    private static boolean unlocks(AbstractInsnNode at) {
        if (at.getOpcode() == MONITOREXIT) return true;
        return at instanceof MethodInsnNode call && call.name.startsWith("unlock") && LibraryCalls.isOfLock(call);
    }

    private static boolean locks(AbstractInsnNode at) {
        return at.getOpcode() == MONITORENTER || at instanceof MethodInsnNode call && LibraryCalls.isLocking(call);
    }

    /** Whether optimistic reads are found to be valid or not in the same method. */
    static boolean isValidated(InsnList code) {
        for (AbstractInsnNode at : code)
            if (at instanceof MethodInsnNode call && call.name.equals("validate") && call.desc.equals("(J)Z")) return true;
        return false;
    }

    private static boolean isSameField(FieldInsnNode one, FieldInsnNode other) {
        return one.name.equals(other.name) && one.owner.equals(other.owner);
    }

    private static boolean isSwap(MethodInsnNode call) {
        boolean isOfMap = LibraryCalls.isMap(call) && call.desc.endsWith(")Z");
        if (isOfMap && (call.name.equals("replace") || call.name.equals("remove"))) return true;
        return call.name.startsWith("compareAnd") || call.name.startsWith("weakCompareAndSet");
    }

    private static boolean isOurs(AbstractInsnNode at) {
        return at instanceof MethodInsnNode probe && probe.owner.startsWith("trackside/");
    }

    /** Whether the number of a place is loaded for our own call. */
    private static boolean isTold(AbstractInsnNode at) {
        return isOurs(at) && ((MethodInsnNode) at).desc.endsWith("I)V");
    }

    /** The instruction that loads what a call is made on, if nothing but simple loads stands between. */
    private static AbstractInsnNode receiver(MethodInsnNode call) {
        AbstractInsnNode at = call.getPrevious();
        int arguments = org.objectweb.asm.Type.getArgumentTypes(call.desc).length;
        for (; at != null; at = at.getPrevious()) {
            if (at.getOpcode() == GETFIELD && arguments == 0) return at;
            if (isTold(at)) at = at.getPrevious();
            else if (at.getOpcode() < 0 || isOurs(at) || isConversion(at)) continue;
            else if (!isLoad(at)) return null;
            else if (arguments-- == 0) return at;
        }
        return null;
    }

    private static boolean isLoad(AbstractInsnNode at) {
        int opcode = at.getOpcode();
        return opcode == GETSTATIC || opcode >= ACONST_NULL && opcode <= ALOAD;
    }

    /** Of what is loaded into something else: `Integer.valueOf`, a cast. */
    private static boolean isConversion(AbstractInsnNode at) {
        return at.getOpcode() == CHECKCAST || at instanceof MethodInsnNode call && call.name.equals("valueOf");
    }

    private static boolean isSame(AbstractInsnNode one, AbstractInsnNode other) {
        if (one.getOpcode() != other.getOpcode()) return false;
        if (one instanceof FieldInsnNode field && other instanceof FieldInsnNode same)
            return isSameField(field, same);
        if (one instanceof LdcInsnNode constant && other instanceof LdcInsnNode same) return constant.cst.equals(same.cst);
        if (one instanceof IntInsnNode constant && other instanceof IntInsnNode same)
            return constant.operand == same.operand;
        if (one instanceof InsnNode) return isLoad(one);
        return one instanceof VarInsnNode local && other instanceof VarInsnNode same && local.var == same.var;
    }
}
