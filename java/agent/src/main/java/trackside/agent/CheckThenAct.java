package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Finds methods that look at something that threads share and then change it, each of it in one step of its own:
 * `if (!map.containsKey(key)) map.put(key, value)`, `account.set(account.get() - 5)`, `volatileCount++`. They synchronise, and may
 * have been meant to be atomic. What does so in a loop is left out: it may well be meant to begin anew each time; and so is what waits
 * in between. A step may be in a function that the method makes, but not both of them in one: that is somebody else's to call.
 */
final class CheckThenAct {
    private static final int NOT_WITHIN = -1;

    private final Steps steps;

    CheckThenAct(Steps steps) {
        this.steps = steps;
    }

    /** An instruction of the method, or of a function that is made, or one of the same class that is called, at a place of it. */
    private record Step(AbstractInsnNode at, int place, int function, boolean isOfThis, String bound) {
        /** Local variables of a function are others than those of the method. */
        String named(String what) {
            if (bound != null) return bound;
            boolean isOwn = function == NOT_WITHIN || what == null || !what.startsWith("local ");
            return isOwn || isOfThis && (what + ".").startsWith(Operands.THIS + ".") ? what : null;
        }
    }

    boolean isIn(ClassNode type, MethodNode method, ClassLoader loader) {
        List<Step> all = new ArrayList<>();
        addSteps(type, method, all);
        Map<AbstractInsnNode, String> subjects = subjects(all);
        if (method.name.startsWith("lambda$")) nameGiven(method, subjects);
        Map<String, Step> checked = new HashMap<>();
        Map<String, Step> changed = new HashMap<>();
        for (Step step : all) {
            String what = null;
            Steps.Kind kind = Steps.Kind.NONE;
            if (step.at instanceof MethodInsnNode call) {
                if (LibraryCalls.isWaiting(call) && !LibraryCalls.givesUpLock(call)) {
                    checked.clear();
                    changed.clear();
                }
                what = subjects.get(call);
                if (what != null) kind = isCopy(call) ? Steps.Kind.CHECK : steps.of(call, what, loader);
                Step begun = kind == Steps.Kind.CHECK ? changed.get(what) : null;
                if (begun != null && Afterwards.isReliedOnBy(call) && areSteps(method, begun, step)) return true;
                if (kind == Steps.Kind.CHANGE && Afterwards.isBegunBy(call)) changed.putIfAbsent(what, step);
            } else if (step.at instanceof FieldInsnNode field && isVolatile(type, field)) {
                what = step.named(Operands.field(field));
                boolean isRead = field.getOpcode() == GETFIELD || field.getOpcode() == GETSTATIC;
                kind = isRead ? Steps.Kind.CHECK : Steps.Kind.CHANGE;
            }
            if (what == null || kind == Steps.Kind.NONE) continue;
            Step before = checked.get(what);
            if (kind == Steps.Kind.CHECK) {
                if (before == null || !mayGoBy(before, step)) checked.put(what, step);
            } else if (before != null && mayGoBy(before, step) && areSteps(method, before, step)) return true;
        }
        return false;
    }

    private static boolean mayGoBy(Step look, Step change) {
        boolean areCalls = look.at instanceof MethodInsnNode && change.at instanceof MethodInsnNode;
        return !areCalls || Afterwards.mayGoBy((MethodInsnNode) look.at, (MethodInsnNode) change.at);
    }

    private static boolean areSteps(MethodNode method, Step one, Step other) {
        return !isOneFunction(one, other) && !isLoop(method.instructions, one.place, other.place);
    }

    private static boolean isOneFunction(Step one, Step other) {
        return one.function != NOT_WITHIN && one.function == other.function;
    }

    private static void addSteps(ClassNode type, MethodNode method, List<Step> all) {
        int place = 0;
        for (AbstractInsnNode at : method.instructions) {
            if (at instanceof MethodInsnNode || at instanceof FieldInsnNode) all.add(new Step(at, place, NOT_WITHIN, true, null));
            MethodNode function = null;
            if (at instanceof InvokeDynamicInsnNode made) {
                function = functionOf(type, made);
                MethodInsnNode referred = function == null ? referred(made) : null;
                String bound = referred == null ? null : Operands.firstOf(made);
                if (bound != null) all.add(new Step(referred, place, place, true, bound));
            } else if (at instanceof MethodInsnNode call && call.owner.equals(type.name)) function = partOf(type, method, call);
            if (function != null)
                for (AbstractInsnNode within : function.instructions)
                    all.add(new Step(within, place, place, (function.access & ACC_STATIC) == 0, null));
            place++;
        }
    }

    /** `repository::save`, as a call. */
    private static MethodInsnNode referred(InvokeDynamicInsnNode made) {
        if (!made.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory") || made.desc.startsWith("()")) return null;
        if (!(made.bsmArgs[1] instanceof Handle body) || body.getTag() == H_INVOKESTATIC || body.getTag() == H_NEWINVOKESPECIAL) return null;
        return new MethodInsnNode(INVOKEVIRTUAL, body.getOwner(), body.getName(), body.getDesc(), body.isInterface());
    }

    /** A method of the same object that is called, and only looks, or only changes, without a lock: one step of who calls it. */
    private static MethodNode partOf(ClassNode type, MethodNode method, MethodInsnNode call) {
        for (MethodNode part : type.methods) {
            if (!part.name.equals(call.name) || !part.desc.equals(call.desc)) continue;
            boolean isOfThis = call.getOpcode() == INVOKESTATIC || Operands.THIS.equals(Operands.receiver(call));
            return isOfThis && part != method && !Blocks.synchronises(part) && isOneStep(type, part) ? part : null;
        }
        return null;
    }

    private static boolean isOneStep(ClassNode type, MethodNode part) {
        boolean looks = false;
        boolean changes = false;
        for (AbstractInsnNode at : part.instructions) {
            if (at instanceof FieldInsnNode field && isVolatile(type, field)) {
                if (field.getOpcode() == GETFIELD || field.getOpcode() == GETSTATIC) looks = true;
                else changes = true;
            } else if (at instanceof MethodInsnNode call && Steps.mayBeStep(call)) {
                looks |= Steps.byName(call) == Steps.Kind.CHECK;
                changes |= Steps.byName(call) == Steps.Kind.CHANGE;
            }
        }
        return looks != changes;
    }

    private static MethodNode functionOf(ClassNode type, InvokeDynamicInsnNode made) {
        if (!made.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")) return null;
        if (!(made.bsmArgs[1] instanceof Handle body) || !body.getOwner().equals(type.name)) return null;
        if (!body.getName().startsWith("lambda$")) return null;
        for (MethodNode method : type.methods)
            if (method.name.equals(body.getName()) && method.desc.equals(body.getDesc())) return method;
        return null;
    }

    /** What calls are made on, of those that may be one of two steps: to know more of a method takes to read its class. */
    private static Map<AbstractInsnNode, String> subjects(List<Step> all) {
        Map<AbstractInsnNode, String> found = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        List<Step> possible = new ArrayList<>();
        for (Step step : all)
            if (step.at instanceof MethodInsnNode call && (isCopy(call) || Steps.mayBeStep(call))) possible.add(step);
        // To find out what a call is made on takes longer than to see that there are not two.
        if (possible.size() < 2) return found;
        for (Step step : possible) {
            MethodInsnNode call = (MethodInsnNode) step.at;
            boolean isCopy = isCopy(call);
            String subject = step.named(isCopy ? Operands.lastArgument(call) : Operands.receiver(call));
            // What is in a local variable only is the method's own.
            if (subject == null || isCopy && subject.indexOf('.') < 0) continue;
            found.put(call, subject);
            counts.put(subject, counts.getOrDefault(subject, 0) + 1);
        }
        for (Iterator<String> each = found.values().iterator(); each.hasNext(); )
            if (counts.get(each.next()) < 2) each.remove();
        return found;
    }

    /** What a function is given, or has from where it was made, is not its own, as what is in its other local variables may be. */
    private static void nameGiven(MethodNode function, Map<AbstractInsnNode, String> subjects) {
        boolean isStatic = (function.access & ACC_STATIC) != 0;
        int end = (Type.getArgumentsAndReturnSizes(function.desc) >> 2) - (isStatic ? 1 : 0);
        for (Map.Entry<AbstractInsnNode, String> each : subjects.entrySet())
            for (int i = isStatic ? 0 : 1; i < end; i++)
                if (each.getValue().equals("local " + i)) each.setValue("given." + i);
    }

    /** Whether all that is in a collection is put into another one. */
    private static boolean isCopy(MethodInsnNode call) {
        if (!call.owner.startsWith("java/util/")) return false;
        boolean isOfAll = call.desc.startsWith("(Ljava/util/Collection;)") || call.desc.startsWith("(Ljava/util/Map;)");
        return isOfAll && (call.name.equals("<init>") || call.name.equals("copyOf"));
    }

    static boolean isVolatile(ClassNode type, FieldInsnNode at) {
        if (at.owner.equals(type.name))
            for (FieldNode field : type.fields)
                if (field.name.equals(at.name)) return (field.access & Opcodes.ACC_VOLATILE) != 0;
        return false;
    }

    /** Whether anything is run again and again. */
    static boolean isLoop(InsnList code) {
        for (AbstractInsnNode at : code)
            if (at instanceof JumpInsnNode jump && code.indexOf(jump.label) < code.indexOf(jump)) return true;
        return false;
    }

    /** Whether the code from one instruction to another is run again and again. */
    static boolean isLoop(InsnList code, int from, int to) {
        for (int i = to + 1; i < code.size(); i++)
            if (code.get(i) instanceof JumpInsnNode jump && code.indexOf(jump.label) <= from) return true;
        return false;
    }
}
