package trackside.agent;

import java.util.regex.Pattern;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Changes, and looks after them that rely on nobody having come in between: `left.decrementAndGet(); if (left.get() == 0) finish()`, where two
 * threads may finish, and `text.setLength(0); text.append(name); return text.toString()`.
 */
final class Afterwards {
    private static final Pattern EMPTYING = Pattern.compile("clear|removeAllElements|setLength");
    private static final Pattern ITERATING = Pattern.compile("iterator|entrySet|keySet|values|stream|forEach");

    private Afterwards() {}

    private static boolean isAtomic(MethodInsnNode call) {
        return call.owner.startsWith(CallRewriter.ATOMIC_VARIABLES);
    }

    /** Whether there is a certain state after it, by which a later look may go. */
    static boolean isBegunBy(MethodInsnNode change) {
        if (!isAtomic(change)) return isEmptying(change);
        boolean isUpdate = LibraryCalls.atomicKind(change.owner, change.name) == LibraryCalls.AtomicKind.UPDATE;
        return isUpdate && Claims.isUnused(change);
    }

    /** Of a step that is a look. */
    static boolean isReliedOnBy(MethodInsnNode look) {
        return !isAtomic(look) || isExact(look);
    }

    /** Whether it is for one number that something is done. */
    static boolean isExact(MethodInsnNode look) {
        boolean isNumber = look.desc.endsWith(")I") || look.desc.endsWith(")J");
        return isNumber && Comparisons.isForEquality(look);
    }

    /** Whether it is asked later if an update was the one that led to a number: then it is not all the same in which order there are several. */
    static boolean isAskedFor(MethodInsnNode update) {
        String variable = Operands.receiver(update);
        if (variable == null) return false;
        for (AbstractInsnNode at = update.getNext(); at != null; at = at.getNext())
            if (at instanceof MethodInsnNode look && look.owner.equals(update.owner) && isExact(look) && variable.equals(Operands.receiver(look)))
                return true;
        return false;
    }

    static boolean isEmptying(MethodInsnNode change) {
        return EMPTYING.matcher(change.name).matches();
    }

    /** What was seen one by one is relied on by who empties it, or changes what is under one of the keys. */
    static boolean mayGoBy(MethodInsnNode look, MethodInsnNode change) {
        return !ITERATING.matcher(look.name).matches() || isEmptying(change) || LibraryCalls.isMap(change);
    }
}
