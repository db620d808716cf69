package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.Arrays;
import java.util.BitSet;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/** Which instructions of a method are run or not because of a branch, or of an exception. */
final class Flow {
    private final MethodNode method;
    private final InsnList code;
    private final int[][] next;
    /** By instruction: the next one that all ways to the end lead through; `exit` for none. */
    private final int[] after;

    private final int exit;

    Flow(MethodNode method) {
        this.method = method;
        code = method.instructions;
        exit = code.size();
        next = new int[exit][];
        for (int i = 0; i < exit; i++) next[i] = successors(code.get(i), i);
        after = postdominators();
    }

    private int[] successors(AbstractInsnNode at, int index) {
        int opcode = at.getOpcode();
        if (opcode >= IRETURN && opcode <= RETURN || opcode == ATHROW) return new int[] {exit};
        if (opcode == GOTO) return new int[] {code.indexOf(((JumpInsnNode) at).label)};
        if (at instanceof JumpInsnNode jump) return new int[] {index + 1, code.indexOf(jump.label)};
        if (at instanceof TableSwitchInsnNode choice) return targets(choice.dflt, choice.labels);
        if (at instanceof LookupSwitchInsnNode choice) return targets(choice.dflt, choice.labels);
        return new int[] {index + 1};
    }

    private int[] targets(LabelNode other, java.util.List<LabelNode> labels) {
        int[] targets = new int[labels.size() + 1];
        for (int i = 0; i < labels.size(); i++) targets[i] = code.indexOf(labels.get(i));
        targets[labels.size()] = code.indexOf(other);
        return targets;
    }

    boolean isBranch(int index) {
        return next[index].length > 1;
    }

    /** What is run only if the branch goes one of its ways; and, of a loop that waits until something is so, all that comes then. */
    BitSet decidedBy(int branch) {
        BitSet decided = new BitSet(exit);
        for (int way : next[branch]) reach(way, decided, after[branch], null);
        if (!decided.get(branch) || !waits(decided)) return decided;
        reach(after[branch], decided, exit, null);
        return decided;
    }

    /** Whether others have to do something, or the loop would not end: it waits, or does nothing but look. */
    private boolean waits(BitSet loop) {
        boolean acts = false;
        for (int i = loop.nextSetBit(0); i >= 0; i = loop.nextSetBit(i + 1)) {
            AbstractInsnNode at = code.get(i);
            int opcode = at.getOpcode();
            if (at instanceof MethodInsnNode call && LibraryCalls.mayPause(call)) return true;
            acts |= opcode == IINC || opcode >= ISTORE && opcode <= SASTORE || opcode == PUTFIELD || opcode == PUTSTATIC;
            acts |= at instanceof MethodInsnNode call && call.desc.endsWith(")V");
        }
        return !acts;
    }

    /** What is run only if something was thrown. */
    BitSet onlyIn(TryCatchBlockNode handler) {
        BitSet normal = new BitSet(exit);
        reach(code.indexOf(handler.end), normal, exit, null);
        BitSet decided = new BitSet(exit);
        reach(code.indexOf(handler.handler), decided, exit, normal);
        return decided;
    }

    private void reach(int from, BitSet reached, int end, BitSet without) {
        java.util.ArrayDeque<Integer> open = new java.util.ArrayDeque<>();
        open.add(from);
        while (!open.isEmpty()) {
            int at = open.poll();
            if (at == end || at == exit || reached.get(at) || without != null && without.get(at)) continue;
            reached.set(at);
            for (int to : next[at]) open.add(to);
        }
    }

    /** By Cooper, Harvey and Kennedy's algorithm, from the end. */
    private int[] postdominators() {
        int[] order = fromEnd();
        int[] number = new int[exit + 1];
        Arrays.fill(number, -1);
        for (int i = 0; i < order.length; i++) number[order[i]] = i;
        int[] found = new int[exit + 1];
        Arrays.fill(found, -1);
        found[exit] = exit;
        boolean isChanged = true;
        while (isChanged) {
            isChanged = false;
            for (int node : order) {
                if (node == exit) continue;
                int nearest = -1;
                for (int to : next[node]) {
                    if (found[to] < 0) continue;
                    nearest = nearest < 0 ? to : common(nearest, to, found, number);
                }
                if (nearest >= 0 && found[node] != nearest) {
                    found[node] = nearest;
                    isChanged = true;
                }
            }
        }
        // What never comes to an end.
        for (int i = 0; i < exit; i++) if (found[i] < 0) found[i] = exit;
        return found;
    }

    private static int common(int one, int other, int[] found, int[] number) {
        while (one != other) {
            while (number[one] > number[other]) one = found[one];
            while (number[other] > number[one]) other = found[other];
        }
        return one;
    }

    /** All from which the end is reached, each before those that lead to it: reverse postorder of the reverse graph. */
    private int[] fromEnd() {
        int[] counts = new int[exit + 1];
        for (int[] each : next) for (int to : each) counts[to]++;
        int[][] before = new int[exit + 1][];
        for (int i = 0; i <= exit; i++) before[i] = new int[counts[i]];
        for (int i = 0; i < exit; i++) for (int to : next[i]) before[to][--counts[to]] = i;
        int[] order = new int[exit + 1];
        int[] path = new int[exit + 1];
        int[] done = new int[exit + 1];
        BitSet seen = new BitSet(exit + 1);
        int depth = 0;
        int at = order.length;
        path[0] = exit;
        seen.set(exit);
        while (depth >= 0) {
            int node = path[depth];
            if (done[node] == before[node].length) {
                order[--at] = node;
                depth--;
                continue;
            }
            int from = before[node][done[node]++];
            if (seen.get(from)) continue;
            seen.set(from);
            path[++depth] = from;
        }
        return Arrays.copyOfRange(order, at, order.length);
    }
}
