package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Finds changes by which a thread takes something for itself without asking whether it got it:
 * `if (!seen.contains(id)) { seen.add(id); handle(id); }`. Two threads that come there at once both go on.
 */
final class Claims {
    private static final Pattern CHECKS = Pattern.compile("contains(Key)?|get(OrDefault)?");

    /** To tell a log of it does no harm. */
    private static final Pattern LOGS = Pattern.compile("(.*[/.])?(\\w*Log(ger)?|PrintStream)");

    private Claims() {}

    /** Whether nobody looks at what a call gives. */
    static boolean isUnused(MethodInsnNode call) {
        if (call.desc.endsWith(")V")) return true;
        AbstractInsnNode next = call.getNext();
        while (next instanceof LabelNode || next instanceof LineNumberNode) next = next.getNext();
        return next != null && (next.getOpcode() == POP || next.getOpcode() == POP2);
    }

    /** Whether what was checked before is changed here, and what comes next is done whether that has changed anything or not. */
    static boolean isIn(InsnList code, MethodInsnNode change) {
        boolean isSet = change.owner.endsWith("Set") || change.owner.endsWith("KeySetView");
        boolean isTaking = change.name.equals("remove") && (isSet || change.owner.endsWith("Map"));
        if (!isTaking && !(isSet && change.name.equals("add")) || !isUnused(change)) return false;
        return isChecked(change) && goesOn(code, change);
    }

    private static boolean isChecked(MethodInsnNode change) {
        String subject = Operands.receiver(change);
        if (subject == null) return false;
        for (AbstractInsnNode at = change.getPrevious(); at != null; at = at.getPrevious())
            if (at instanceof MethodInsnNode call && CHECKS.matcher(call.name).matches() && subject.equals(Operands.receiver(call)))
                return true;
        return false;
    }

    /** Up to where other ways come in, or this one ends. */
    private static boolean goesOn(InsnList code, MethodInsnNode change) {
        Set<LabelNode> targets = new HashSet<>();
        for (AbstractInsnNode at : code) if (at instanceof JumpInsnNode jump) targets.add(jump.label);
        for (AbstractInsnNode at = change.getNext(); at != null; at = at.getNext()) {
            if (at instanceof LabelNode label && targets.contains(label) || at instanceof JumpInsnNode) return false;
            if (at.getOpcode() == PUTFIELD || at.getOpcode() == PUTSTATIC) return true;
            if (at instanceof MethodInsnNode call && !isHarmless(call)) return true;
        }
        return false;
    }

    private static boolean isHarmless(MethodInsnNode call) {
        if (call.owner.startsWith("trackside/") || call.name.equals("<init>") || call.name.startsWith("unlock")) return true;
        return LOGS.matcher(call.owner).matches() || call.owner.startsWith("java/lang/");
    }
}
