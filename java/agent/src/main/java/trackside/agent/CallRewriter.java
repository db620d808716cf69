package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Puts probes around calls that have a meaning for threads. */
final class CallRewriter {
    private static final String MONITORS = "trackside/runtime/Monitors";

    private final MethodRewriter rewriter;
    private final MethodNode method;

    CallRewriter(MethodRewriter rewriter, MethodNode method) {
        this.rewriter = rewriter;
        this.method = method;
    }

    void rewrite(MethodInsnNode call) {
        if (call.getOpcode() == INVOKEVIRTUAL && LibraryCalls.isObjectWait(call)) objectWait(call);
    }

    private void objectWait(MethodInsnNode call) {
        InsnList before = new InsnList();
        int temporary = method.maxLocals;
        if (call.desc.equals("(JI)V")) {
            method.maxLocals++;
            before.add(new VarInsnNode(ISTORE, temporary));
        }
        if (!call.desc.equals("()V")) {
            before.add(new InsnNode(DUP2_X1));
            before.add(new InsnNode(POP2));
            before.add(new InsnNode(DUP_X2));
        } else {
            before.add(new InsnNode(DUP));
        }
        before.add(MethodRewriter.number(rewriter.site(null)));
        before.add(MethodRewriter.call(MONITORS, "waiting", "(Ljava/lang/Object;I)V"));
        if (call.desc.equals("(JI)V")) before.add(new VarInsnNode(ILOAD, temporary));
        method.instructions.insertBefore(call, before);
    }
}
