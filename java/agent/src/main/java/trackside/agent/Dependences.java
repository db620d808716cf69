package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Which steps of a method go by which others: a step is an access or a call, and goes by a look at data if what it is given was computed
 * from what the look gave, or if that decided whether it is made at all. What other methods do with what they are given is not known, so
 * that what they return goes by all of it.
 */
final class Dependences {
    private static final int MOST_STEPS = 200;
    private static final int MOST_CODE = 4000;
    /** Until what is kept in fields and decided by branches is known. */
    private static final int MOST_ROUNDS = 6;

    /** Classes whose methods only compute something. */
    private static final Pattern VALUES = Pattern.compile(
            "java/lang/(String|StringBuilder|Math|Integer|Long|Short|Byte|Character|Boolean|Double|Float|Number|Class|System)");

    private final MethodNode method;
    /** The accesses and calls, in the order of the code, by their numbers. */
    private final Map<AbstractInsnNode, Integer> steps = new LinkedHashMap<>();
    private final List<String> names = new ArrayList<>();
    private Taints taints;

    private Dependences(MethodNode method) {
        this.method = method;
    }

    /** Null for a method that is too large, or of which nothing is known. */
    static Dependences of(String type, MethodNode method) {
        if (method.instructions.size() > MOST_CODE) return null;
        Dependences found = new Dependences(method);
        found.number();
        if (found.steps.isEmpty() || found.steps.size() > MOST_STEPS) return null;
        try {
            found.analyse(type);
        } catch (AnalyzerException | RuntimeException strange) {
            return null;
        }
        return found;
    }

    private void number() {
        int line = 0;
        for (AbstractInsnNode at : method.instructions) {
            if (at instanceof LineNumberNode number) line = number.line;
            if (!isStep(at)) continue;
            steps.put(at, steps.size());
            names.add(at instanceof MethodInsnNode call ? line + " " + nameOf(call) : String.valueOf(line));
        }
    }

    /** `java/util/Map.put/2`. */
    static String nameOf(MethodInsnNode call) {
        return call.owner + "." + call.name + "/" + Type.getArgumentTypes(call.desc).length;
    }

    static String nameOf(Handle function) {
        return function.getOwner() + "." + function.getName() + "/" + Type.getArgumentTypes(function.getDesc()).length;
    }

    private static boolean isStep(AbstractInsnNode at) {
        int opcode = at.getOpcode();
        boolean isElement = opcode >= IALOAD && opcode <= SALOAD || opcode >= IASTORE && opcode <= SASTORE;
        boolean isCall = at instanceof MethodInsnNode call && !VALUES.matcher(call.owner).matches();
        return isElement || at instanceof FieldInsnNode || isCall;
    }

    private void analyse(String type) throws AnalyzerException {
        InsnList code = method.instructions;
        taints = new Taints(steps);
        Flow flow = new Flow(method);
        exceptions(flow);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            taints.isChanged = false;
            new Analyzer<>(taints).analyze(type, method);
            for (int i = 0; i < code.size(); i++) {
                BitSet by = flow.isBranch(i) ? withDecided(code.get(i)) : null;
                if (by != null && !by.isEmpty()) decide(flow.decidedBy(i), by);
            }
            if (!taints.isChanged) return;
        }
    }

    private BitSet withDecided(AbstractInsnNode branch) {
        BitSet by = (BitSet) taints.taken.getOrDefault(branch, new BitSet()).clone();
        BitSet before = taints.decided.get(branch);
        if (before != null) by.or(before);
        return by;
    }

    private void decide(BitSet instructions, BitSet by) {
        for (int i = instructions.nextSetBit(0); i >= 0; i = instructions.nextSetBit(i + 1)) {
            AbstractInsnNode at = method.instructions.get(i);
            BitSet known = taints.decided.get(at);
            if (known == null) taints.decided.put(at, known = new BitSet());
            int before = known.cardinality();
            known.or(by);
            if (known.cardinality() != before) taints.isChanged = true;
        }
    }

    /** Who catches something goes by what was tried; what is to be done in any case does not. */
    private void exceptions(Flow flow) {
        InsnList code = method.instructions;
        for (TryCatchBlockNode handler : method.tryCatchBlocks) {
            if (handler.type == null || handler.type.equals("java/lang/Throwable")) continue;
            BitSet tried = new BitSet();
            for (int i = code.indexOf(handler.start); i < code.indexOf(handler.end); i++) {
                Integer step = steps.get(code.get(i));
                if (step != null && code.get(i) instanceof MethodInsnNode) tried.set(step);
            }
            if (!tried.isEmpty()) decide(flow.onlyIn(handler), tried);
        }
    }

    /** By number: its line, and what is called there. */
    List<String> names() {
        return names;
    }

    /** By number of a step: those that it goes by. With `isDecidedOnly`, those that decided whether it is made. */
    Map<Integer, BitSet> goesBy(boolean isDecidedOnly) {
        Map<Integer, BitSet> all = new HashMap<>();
        for (Map.Entry<AbstractInsnNode, Integer> step : steps.entrySet()) {
            BitSet by = new BitSet();
            by.or(taints.decided.getOrDefault(step.getKey(), new BitSet()));
            if (!isDecidedOnly) by.or(taints.taken.getOrDefault(step.getKey(), new BitSet()));
            if (!by.isEmpty()) all.put(step.getValue(), by);
        }
        return all;
    }
}
