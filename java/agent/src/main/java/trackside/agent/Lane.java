package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.tree.*;

/**
 * Keeps in a local variable what probes have to know of the thread, so that they need not look for it at each access. The variable
 * is set where the method begins, and lies above all others, so that frames only get longer.
 */
final class Lane {
    private static final String PROBES = "trackside/runtime/Probes";
    private static final Set<String> TAKING =
            Set.of("readField", "writeField", "readStatic", "writeStatic", "readElement", "writeElement", "done");

    private Lane() {}

    /** Gives it to the probes that are in a method. */
    static void give(MethodNode method) {
        Runs.join(method);
        int slot = method.maxLocals;
        boolean isNeeded = false;
        for (AbstractInsnNode at : method.instructions.toArray()) {
            if (!(at instanceof MethodInsnNode call) || !call.owner.equals(PROBES) || !TAKING.contains(call.name)) continue;
            method.instructions.insertBefore(call, new VarInsnNode(ALOAD, slot));
            call.desc = call.desc.replace(")", "Ljava/lang/Object;)");
            isNeeded = true;
        }
        if (!isNeeded) return;
        for (AbstractInsnNode at : method.instructions) if (at instanceof FrameNode frame) lengthen(frame, slot);
        InsnList entry = new InsnList();
        entry.add(MethodRewriter.call(PROBES, "lane", "()Ljava/lang/Object;"));
        entry.add(new VarInsnNode(ASTORE, slot));
        method.instructions.insert(entry);
    }

    private static void lengthen(FrameNode frame, int slot) {
        List<Object> local = new ArrayList<>(frame.local);
        int size = 0;
        for (Object type : local) size += type == LONG || type == DOUBLE ? 2 : 1;
        for (; size < slot; size++) local.add(TOP);
        local.add("java/lang/Object");
        frame.local = local;
    }
}
