package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Interpreter;
import org.objectweb.asm.tree.analysis.Value;

/** Which of a method's looks at data a value was computed from. Looks are numbered. */
final class Taints extends Interpreter<Taints.Taint> {
    /** `origin`: the field or the local variable that it was loaded from. */
    record Taint(int size, BitSet looks, String origin) implements Value {
        @Override
        public int getSize() {
            return size;
        }
    }

    private static final BitSet NONE = new BitSet(0);
    /** Or the first argument of a static method. What methods of the same object keep is not followed. */
    private static final String THIS = "local 0";

    /** By instruction: the look that it is. */
    private final Map<AbstractInsnNode, Integer> looks;
    /** By instruction: what was looked at to decide whether it is run. */
    final Map<AbstractInsnNode, BitSet> decided = new HashMap<>();
    /** By instruction: what it takes was computed from. */
    final Map<AbstractInsnNode, BitSet> taken = new HashMap<>();
    /** By field or local variable: what was put into it, or into the object that it holds. */
    private final Map<String, BitSet> kept = new HashMap<>();
    /** By look: the field that is looked at. */
    private final Map<Integer, String> fields = new HashMap<>();

    boolean isChanged;

    Taints(Map<AbstractInsnNode, Integer> looks) {
        super(ASM9);
        this.looks = looks;
        for (Map.Entry<AbstractInsnNode, Integer> look : looks.entrySet())
            if (look.getKey() instanceof FieldInsnNode field) fields.put(look.getValue(), field.owner + "." + field.name);
    }

    private static Taint taint(Type type, BitSet looks, String origin) {
        return new Taint(type == null ? 1 : type.getSize(), looks, origin);
    }

    private static BitSet union(BitSet one, BitSet other) {
        if (other == null || other.isEmpty() || one.equals(other)) return one;
        if (one.isEmpty()) return other;
        BitSet both = (BitSet) one.clone();
        both.or(other);
        return both;
    }

    private BitSet here(AbstractInsnNode at) {
        Integer look = looks.get(at);
        BitSet known = decided.getOrDefault(at, NONE);
        if (look == null) return known;
        BitSet own = (BitSet) known.clone();
        own.set(look);
        return own;
    }

    private void take(AbstractInsnNode at, Taint... values) {
        for (Taint value : values) {
            BitSet known = taken.get(at);
            taken.put(at, known == null ? value.looks : union(known, value.looks));
        }
    }

    /** What is put into a field, and read there again, is no news to who has read it there before. */
    private void keep(String origin, BitSet looks) {
        if (origin == null || looks.isEmpty() || origin.equals(THIS)) return;
        BitSet others = (BitSet) looks.clone();
        for (int look = looks.nextSetBit(0); look >= 0; look = looks.nextSetBit(look + 1))
            if (origin.equals(fields.get(look))) others.clear(look);
        BitSet known = kept.get(origin);
        BitSet now = known == null ? others : union(known, others);
        if (known != null && known.equals(now)) return;
        kept.put(origin, now);
        isChanged = true;
    }

    @Override
    public Taint newValue(Type type) {
        return type == Type.VOID_TYPE ? null : taint(type, NONE, null);
    }

    @Override
    public Taint newOperation(AbstractInsnNode at) {
        if (at instanceof FieldInsnNode field) return loaded(field);
        boolean isWide = at.getOpcode() == LCONST_0 || at.getOpcode() == LCONST_1 || at.getOpcode() == DCONST_0 || at.getOpcode() == DCONST_1;
        if (at instanceof org.objectweb.asm.tree.LdcInsnNode constant)
            isWide = constant.cst instanceof Long || constant.cst instanceof Double;
        return new Taint(isWide ? 2 : 1, here(at), null);
    }

    private Taint loaded(FieldInsnNode field) {
        String origin = field.owner + "." + field.name;
        return taint(Type.getType(field.desc), union(here(field), kept.get(origin)), origin);
    }

    @Override
    public Taint copyOperation(AbstractInsnNode at, Taint value) {
        BitSet all = union(value.looks, decided.get(at));
        if (!(at instanceof VarInsnNode local)) return new Taint(value.size, all, value.origin);
        String origin = "local " + local.var;
        boolean isLoad = local.getOpcode() <= ALOAD;
        return new Taint(value.size, isLoad ? union(all, kept.get(origin)) : all, isLoad ? origin : value.origin);
    }

    @Override
    public Taint unaryOperation(AbstractInsnNode at, Taint value) {
        take(at, value);
        BitSet all = union(here(at), value.looks);
        switch (at.getOpcode()) {
            case GETFIELD -> {
                Taint loaded = loaded((FieldInsnNode) at);
                return new Taint(loaded.size, union(loaded.looks, value.looks), loaded.origin);
            }
            case PUTSTATIC -> {
                keep(((FieldInsnNode) at).owner + "." + ((FieldInsnNode) at).name, all);
                return null;
            }
            case I2L, F2L, D2L, L2D, F2D, I2D, LNEG, DNEG -> {
                return new Taint(2, all, null);
            }
            case CHECKCAST -> {
                return new Taint(1, all, value.origin);
            }
            default -> {
                return new Taint(1, all, null);
            }
        }
    }

    @Override
    public Taint binaryOperation(AbstractInsnNode at, Taint one, Taint other) {
        take(at, one, other);
        BitSet all = union(union(here(at), one.looks), other.looks);
        int opcode = at.getOpcode();
        if (opcode == PUTFIELD) {
            FieldInsnNode field = (FieldInsnNode) at;
            keep(field.owner + "." + field.name, union(other.looks, decided.get(at)));
            return null;
        }
        boolean isWide = switch (opcode) {
            case LALOAD, DALOAD, LADD, DADD, LSUB, DSUB, LMUL, DMUL, LDIV, DDIV, LREM, DREM, LSHL, LSHR, LUSHR, LAND, LOR, LXOR -> true;
            default -> false;
        };
        return new Taint(isWide ? 2 : 1, all, null);
    }

    @Override
    public Taint ternaryOperation(AbstractInsnNode at, Taint array, Taint index, Taint value) {
        take(at, array, index, value);
        keep(array.origin, union(value.looks, decided.get(at)));
        return null;
    }

    @Override
    public Taint naryOperation(AbstractInsnNode at, List<? extends Taint> values) {
        BitSet given = NONE;
        for (Taint value : values) {
            take(at, value);
            given = union(given, value.looks);
        }
        BitSet all = union(here(at), given);
        if (at instanceof MultiANewArrayInsnNode) return new Taint(1, all, null);
        boolean hasReceiver = at instanceof MethodInsnNode && at.getOpcode() != INVOKESTATIC;
        if (hasReceiver) {
            Taint receiver = values.get(0);
            keep(receiver.origin, union(given, decided.get(at)));
        }
        String descriptor = at instanceof MethodInsnNode call ? call.desc : ((InvokeDynamicInsnNode) at).desc;
        Type type = Type.getReturnType(descriptor);
        return type == Type.VOID_TYPE ? null : taint(type, all, null);
    }

    @Override
    public void returnOperation(AbstractInsnNode at, Taint value, Taint expected) {}

    @Override
    public Taint merge(Taint one, Taint other) {
        BitSet both = union(one.looks, other.looks);
        String origin = java.util.Objects.equals(one.origin, other.origin) ? one.origin : null;
        if (both.equals(one.looks) && java.util.Objects.equals(origin, one.origin)) return one;
        return new Taint(Math.min(one.size, other.size), both, origin);
    }
}
