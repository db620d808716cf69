package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Finds out what a call is made on, by going back over the instructions that have put its operands onto the stack. */
final class Operands {
    private static final int DEEPEST = 6;
    /** So many instructions before its use, a local variable has got its value somewhere else. */
    private static final int FARTHEST = 500;

    private static final int UNKNOWN = -1;
    /** What the object is called whose method it is. */
    static final String THIS = "local 0";

    private Operands() {}

    /** A name for the object that a method is called on: the same one in one method means the same one; null if it is not known. */
    static String receiver(MethodInsnNode call) {
        if (call.getOpcode() == INVOKESTATIC) return "class " + call.owner;
        return named(producer(call, Type.getArgumentTypes(call.desc).length), DEEPEST);
    }

    /** The same for what is given to it last. */
    static String lastArgument(MethodInsnNode call) {
        return named(producer(call, 0), DEEPEST);
    }

    /** The same for what a function is made with. */
    static String firstOf(InvokeDynamicInsnNode made) {
        return named(producer(made, Type.getArgumentTypes(made.desc).length - 1), DEEPEST);
    }

    /** The same for the object whose field is used. */
    static String field(FieldInsnNode at) {
        if (at.getOpcode() == GETSTATIC || at.getOpcode() == PUTSTATIC) return at.owner + "." + at.name;
        String object = named(producer(at, at.getOpcode() == PUTFIELD ? 1 : 0), DEEPEST);
        return object == null ? null : object + "." + at.owner + "." + at.name;
    }

    private static String named(AbstractInsnNode at, int depth) {
        if (at == null || depth == 0) return null;
        if (at.getOpcode() == ALOAD) {
            String stored = named(store((VarInsnNode) at), depth - 1);
            return stored != null ? stored : "local " + ((VarInsnNode) at).var;
        }
        if (at.getOpcode() == CHECKCAST) return named(producer(at, 0), depth - 1);
        if (at instanceof MethodInsnNode call) return getter(call, depth);
        if (!(at instanceof FieldInsnNode field)) return null;
        if (at.getOpcode() == GETSTATIC) return field.owner + "." + field.name;
        String object = named(producer(field, 0), depth - 1);
        return object == null ? null : object + "." + field.owner + "." + field.name;
    }

    /**
     * What a method without arguments returns is taken for the same each time. What a map in a field has under a key is known to others, but
     * each look may give another one.
     */
    private static String getter(MethodInsnNode call, int depth) {
        if (LibraryCalls.isMap(call) && call.desc.endsWith(")Ljava/lang/Object;")) {
            String map = named(producer(call, Type.getArgumentTypes(call.desc).length), depth - 1);
            return map == null || map.indexOf('.') < 0 ? null : map + "[" + placeOf(call) + "]";
        }
        if (!call.desc.startsWith("()L")) return null;
        String on = call.getOpcode() == INVOKESTATIC ? call.owner : named(producer(call, 0), depth - 1);
        return on == null ? null : on + "." + call.name + "()";
    }

    private static int placeOf(AbstractInsnNode of) {
        int place = 0;
        for (AbstractInsnNode at = of.getPrevious(); at != null; at = at.getPrevious()) place++;
        return place;
    }

    /** What was put last into a local variable, in the order of the code; null if that is not known. */
    private static AbstractInsnNode store(VarInsnNode load) {
        int steps = 0;
        for (AbstractInsnNode at = load.getPrevious(); at != null && steps++ < FARTHEST; at = at.getPrevious())
            if (at.getOpcode() == ASTORE && ((VarInsnNode) at).var == load.var) return producer(at, 0);
        return null;
    }

    /** What has put the value there that lies under so many others; null where ways meet or part, or stack tricks are played. */
    private static AbstractInsnNode producer(AbstractInsnNode of, int above) {
        int needed = above;
        for (AbstractInsnNode at = of.getPrevious(); at != null; at = at.getPrevious()) {
            if (at.getOpcode() < 0) continue;
            if (at.getOpcode() == GOTO) {
                // One of two ways that give one value: the other one began where they part.
                at = parting(at);
                if (at == null) return null;
            }
            if (isCopy(at)) {
                needed = beneathCopy(at, needed);
                continue;
            }
            int taken = taken(at);
            if (taken == UNKNOWN) return null;
            int given = given(at);
            if (given > needed) return at;
            needed += taken - given;
        }
        return null;
    }

    private static boolean isCopy(AbstractInsnNode at) {
        return at.getOpcode() == DUP || at.getOpcode() == DUP_X1 || at.getOpcode() == DUP2_X1;
    }

    /** Which value one on the stack was before the topmost was copied: `n++` and `new X()` do so. */
    private static int beneathCopy(AbstractInsnNode copy, int above) {
        int depth = copy.getOpcode() == DUP ? 1 : 2;
        return above < depth ? above : above == depth ? 0 : above - 1;
    }

    /** The first jump to what follows an instruction: `condition ? one : other`. */
    private static AbstractInsnNode parting(AbstractInsnNode end) {
        AbstractInsnNode first = null;
        for (AbstractInsnNode at = end.getPrevious(); at != null; at = at.getPrevious())
            if (at.getOpcode() != GOTO && at instanceof JumpInsnNode jump && isNext(jump.label, end)) first = at;
        return first;
    }

    private static boolean isNext(AbstractInsnNode label, AbstractInsnNode end) {
        AbstractInsnNode at = end.getNext();
        while (at != null && at != label && at.getOpcode() < 0) at = at.getNext();
        return at == label;
    }

    /** How many values an instruction takes from the stack. */
    private static int taken(AbstractInsnNode at) {
        int opcode = at.getOpcode();
        if (opcode >= NOP && opcode <= ALOAD || opcode == GETSTATIC || opcode == NEW || opcode == IINC) return 0;
        if (opcode >= IALOAD && opcode <= SALOAD || opcode >= IADD && opcode <= DREM) return 2;
        if (opcode >= ISTORE && opcode <= ASTORE || opcode >= INEG && opcode <= DNEG) return 1;
        if (opcode >= ISHL && opcode <= LXOR || opcode >= LCMP && opcode <= DCMPG) return 2;
        if (opcode >= I2L && opcode <= I2S || opcode == POP) return 1;
        if (opcode >= IASTORE && opcode <= SASTORE) return 3;
        if (opcode >= IFEQ && opcode <= IFLE || opcode == IFNULL || opcode == IFNONNULL) return 1;
        if (opcode >= IF_ICMPEQ && opcode <= IF_ACMPNE) return 2;
        return switch (opcode) {
            case PUTSTATIC, GETFIELD, CHECKCAST, INSTANCEOF, ARRAYLENGTH, NEWARRAY, ANEWARRAY, MONITORENTER, MONITOREXIT -> 1;
            case PUTFIELD -> 2;
            case INVOKEVIRTUAL, INVOKEINTERFACE, INVOKESPECIAL -> 1 + arguments(at);
            case INVOKESTATIC -> arguments(at);
            case INVOKEDYNAMIC -> Type.getArgumentTypes(((InvokeDynamicInsnNode) at).desc).length;
            default -> UNKNOWN;
        };
    }

    private static int arguments(AbstractInsnNode call) {
        return Type.getArgumentTypes(((MethodInsnNode) call).desc).length;
    }

    private static int given(AbstractInsnNode at) {
        int opcode = at.getOpcode();
        if (opcode == NOP || opcode == IINC || opcode >= ISTORE && opcode <= POP) return 0;
        if (at instanceof JumpInsnNode) return 0;
        if (at instanceof MethodInsnNode call) return call.desc.endsWith(")V") ? 0 : 1;
        return switch (opcode) {
            case PUTSTATIC, PUTFIELD, MONITORENTER, MONITOREXIT -> 0;
            default -> 1;
        };
    }
}
