package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Finds methods that look at something that threads share and then change it, each of it in one step of its own:
 * `if (!map.containsKey(key)) map.put(key, value)`, `account.set(account.get() - 5)`, `volatileCount++`. They synchronise, and may
 * have been meant to be atomic. What does so in a loop is left out: it may well be meant to begin anew each time.
 */
final class CheckThenAct {
    private final Steps steps;

    CheckThenAct(Steps steps) {
        this.steps = steps;
    }

    boolean isIn(ClassNode type, MethodNode method, ClassLoader loader) {
        InsnList code = method.instructions;
        Map<String, Integer> checked = new HashMap<>();
        Map<MethodInsnNode, String> receivers = receivers(code);
        for (AbstractInsnNode at : code) {
            String what = null;
            Steps.Kind kind = Steps.Kind.NONE;
            if (at instanceof MethodInsnNode call) {
                what = receivers.get(call);
                if (what != null) kind = steps.of(call, what, loader);
            } else if (at instanceof FieldInsnNode field && isVolatile(type, field)) {
                what = Operands.field(field);
                kind = at.getOpcode() == GETFIELD || at.getOpcode() == GETSTATIC ? Steps.Kind.CHECK : Steps.Kind.CHANGE;
            }
            if (what == null || kind == Steps.Kind.NONE) continue;
            if (kind == Steps.Kind.CHECK) checked.putIfAbsent(what, code.indexOf(at));
            else if (checked.containsKey(what) && !isLoop(code, checked.get(what), code.indexOf(at))) return true;
        }
        return false;
    }

    /** What calls are made on, of those that may be one of two steps: to know more of a method takes to read its class. */
    private static Map<MethodInsnNode, String> receivers(InsnList code) {
        Map<MethodInsnNode, String> found = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (AbstractInsnNode at : code) {
            if (!(at instanceof MethodInsnNode call) || !Steps.mayBeStep(call)) continue;
            String receiver = Operands.receiver(call);
            if (receiver == null) continue;
            found.put(call, receiver);
            counts.put(receiver, counts.getOrDefault(receiver, 0) + 1);
        }
        for (Iterator<String> each = found.values().iterator(); each.hasNext(); )
            if (counts.get(each.next()) < 2) each.remove();
        return found;
    }

    static boolean isVolatile(ClassNode type, FieldInsnNode at) {
        if (at.owner.equals(type.name))
            for (FieldNode field : type.fields)
                if (field.name.equals(at.name)) return (field.access & Opcodes.ACC_VOLATILE) != 0;
        return false;
    }

    /** Whether the code from one instruction to another is run again and again. */
    static boolean isLoop(InsnList code, int from, int to) {
        for (int i = to + 1; i < code.size(); i++)
            if (code.get(i) instanceof JumpInsnNode jump && code.indexOf(jump.label) <= from) return true;
        return false;
    }
}
