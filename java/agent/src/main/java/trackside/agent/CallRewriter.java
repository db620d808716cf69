package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Puts probes around calls that have a meaning for threads. What a call is made on is kept in a local variable behind those
 * of the method, which no frame knows: it is used before the next branch.
 */
final class CallRewriter {
    private static final String PROBES = "trackside/runtime/Probes";
    private static final String MONITORS = "trackside/runtime/Monitors";
    private static final String LOCKS = "trackside/runtime/Locks";
    private static final String SIGNALS = "trackside/runtime/Signals";
    private static final String ATOMICS = "trackside/runtime/Atomics";

    private final MethodRewriter rewriter;
    private final MethodNode method;
    private final InsnList code;
    /** The local variables that the method has by itself. */
    private final int locals;

    CallRewriter(MethodRewriter rewriter, MethodNode method) {
        this.rewriter = rewriter;
        this.method = method;
        code = method.instructions;
        locals = method.maxLocals;
    }

    void rewrite(MethodInsnNode call) {
        if (call.getOpcode() == INVOKESTATIC) return;
        if (call.name.equals("clone") && call.desc.startsWith("()L") && !call.owner.startsWith("[")) {
            cloned(call);
            return;
        }
        if (call.getOpcode() == INVOKESPECIAL) return;
        if (LibraryCalls.isObjectWait(call)) {
            around(call, telling(MONITORS, "waiting"), null);
            return;
        }
        if (!call.owner.startsWith("java/util/concurrent/")) return;
        switch (LibraryCalls.meaningOf(call)) {
            case LOCK -> around(call, null, telling(LOCKS, "locked"));
            case TRY_LOCK -> aroundTest(call, LOCKS, "tried");
            case UNLOCK -> around(call, telling(LOCKS, "unlocking"), null);
            case PUT -> around(call, telling(SIGNALS, "putting"), null);
            case TAKE -> around(call, null, telling(SIGNALS, "taken"));
            case ATOMIC -> atomic(call);
            case NONE -> {}
        }
    }

    private InsnList telling(String owner, String name) {
        InsnList list = new InsnList();
        list.add(new VarInsnNode(ALOAD, locals));
        list.add(MethodRewriter.number(rewriter.site(null)));
        list.add(MethodRewriter.call(owner, name, "(Ljava/lang/Object;I)V"));
        return list;
    }

    /** Keeps what the call is made on in a local variable, and puts something before and after it. */
    private void around(MethodInsnNode call, InsnList before, InsnList after) {
        Type[] arguments = Type.getArgumentTypes(call.desc);
        InsnList list = new InsnList();
        int next = locals + 1;
        for (int i = arguments.length - 1; i >= 0; i--) {
            list.add(new VarInsnNode(arguments[i].getOpcode(ISTORE), next));
            next += arguments[i].getSize();
        }
        method.maxLocals = Math.max(method.maxLocals, next);
        list.add(new InsnNode(DUP));
        list.add(new VarInsnNode(ASTORE, locals));
        if (before != null) list.add(before);
        for (Type argument : arguments) {
            next -= argument.getSize();
            list.add(new VarInsnNode(argument.getOpcode(ILOAD), next));
        }
        code.insertBefore(call, list);
        if (after != null) code.insert(call, after);
    }

    /** A copy of an object must not have its shadow. */
    private void cloned(MethodInsnNode call) {
        InsnList after = new InsnList();
        after.add(new InsnNode(DUP));
        after.add(new VarInsnNode(ALOAD, locals));
        after.add(MethodRewriter.call(PROBES, "cloned", "(Ljava/lang/Object;Ljava/lang/Object;)V"));
        around(call, null, after);
    }

    private void aroundTest(MethodInsnNode call, String owner, String name) {
        InsnList after = new InsnList();
        after.add(new InsnNode(DUP));
        after.add(new VarInsnNode(ALOAD, locals));
        after.add(MethodRewriter.number(rewriter.site(null)));
        after.add(MethodRewriter.call(owner, name, "(ZLjava/lang/Object;I)V"));
        around(call, null, after);
    }

    /** Atomic variables: the access itself stands between two probes, as that of a field does. */
    private void atomic(MethodInsnNode call) {
        LibraryCalls.AtomicKind kind = LibraryCalls.atomicKind(call);
        if (kind == LibraryCalls.AtomicKind.NONE) return;
        boolean isOfArray = call.owner.endsWith("Array");
        InsnList before = new InsnList();
        before.add(new VarInsnNode(ALOAD, locals));
        // The first argument is the index; arguments are kept last first, so it has the highest place.
        Type[] arguments = Type.getArgumentTypes(call.desc);
        int index = locals + 1;
        for (int i = arguments.length - 1; i > 0; i--) index += arguments[i].getSize();
        before.add(isOfArray ? new VarInsnNode(ILOAD, index) : new InsnNode(ICONST_M1));
        before.add(MethodRewriter.number(rewriter.site(null)));
        InsnList after = new InsnList();
        switch (kind) {
            case READ -> before.add(MethodRewriter.call(ATOMICS, "reading", "(Ljava/lang/Object;II)V"));
            case WRITE -> before.add(MethodRewriter.call(ATOMICS, "writing", "(Ljava/lang/Object;II)V"));
            case CHANGE -> before.add(MethodRewriter.call(ATOMICS, "changing", "(Ljava/lang/Object;II)V"));
            case UPDATE -> before.add(MethodRewriter.call(
                    ATOMICS, isUnused(call) ? "updating" : "changing", "(Ljava/lang/Object;II)V"));
            case TEST -> {
                before.add(MethodRewriter.call(ATOMICS, "testing", "(Ljava/lang/Object;II)V"));
                after.add(new InsnNode(DUP));
                after.add(MethodRewriter.call(ATOMICS, "tested", "(Z)V"));
            }
            default -> {}
        }
        after.add(MethodRewriter.done());
        around(call, before, after);
    }

    /** Whether nobody looks at what the call gives. */
    private static boolean isUnused(MethodInsnNode call) {
        if (call.desc.endsWith(")V")) return true;
        AbstractInsnNode next = call.getNext();
        while (next instanceof LabelNode || next instanceof LineNumberNode) next = next.getNext();
        return next != null && (next.getOpcode() == POP || next.getOpcode() == POP2);
    }
}
