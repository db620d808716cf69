package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.Set;
import org.objectweb.asm.tree.*;

/**
 * Accesses that follow each other with nothing but computation in between. The next one's probe ends the one before, so that only
 * the last of them needs a probe behind it: on the way there, code neither waits, nor calls anything, nor jumps, nor throws.
 */
final class Runs {
    private static final String PROBES = "trackside/runtime/Probes";
    private static final Set<String> BEFORE =
            Set.of("readField", "writeField", "readStatic", "writeStatic", "readElement", "writeElement");

    private Runs() {}

    static void join(MethodNode method) {
        for (AbstractInsnNode at : method.instructions.toArray())
            if (isProbe(at) && ((MethodInsnNode) at).name.equals("done") && isFollowed(at)) method.instructions.remove(at);
    }

    private static boolean isProbe(AbstractInsnNode at) {
        return at instanceof MethodInsnNode call && call.owner.equals(PROBES);
    }

    private static boolean isFollowed(AbstractInsnNode done) {
        AbstractInsnNode at = done.getNext();
        while (at != null && isComputation(at)) at = at.getNext();
        return at != null && isProbe(at) && BEFORE.contains(((MethodInsnNode) at).name);
    }

    private static boolean isComputation(AbstractInsnNode at) {
        int opcode = at.getOpcode();
        // Labels and lines.
        if (opcode < 0) return true;
        if (at instanceof LdcInsnNode constant) return constant.cst instanceof Number;
        return switch (opcode) {
            // These may throw.
            case IDIV, LDIV, IREM, LREM -> false;
            case IINC -> true;
            default ->
                opcode <= ALOAD
                        || opcode >= ISTORE && opcode <= ASTORE
                        || opcode >= POP && opcode <= SWAP
                        || opcode >= IADD && opcode <= DCMPG;
        };
    }
}
