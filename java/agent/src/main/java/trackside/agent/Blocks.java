package trackside.agent;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Which methods are meant to be atomic. */
final class Blocks {
    private static final String ATOMIC = "Ltrackside/annotation/Atomic;";

    private final Options options;

    Blocks(Options options) {
        this.options = options;
    }

    static String label(ClassNode type, MethodNode method) {
        return type.name.replace('/', '.') + "." + method.name;
    }

    boolean isBlock(ClassNode type, MethodNode method) {
        if (method.name.equals("<clinit>") || (method.access & Opcodes.ACC_SYNTHETIC) != 0 && isBridge(method))
            return false;
        String label = label(type, method);
        for (String glob : options.atomic) if (matches(glob, label)) return true;
        if (isAnnotated(method.invisibleAnnotations) || isAnnotated(type.invisibleAnnotations)) return true;
        if (isThreadBody(method) || waits(method)) return false;
        return options.atomicAll || synchronises(method);
    }

    private static boolean isBridge(MethodNode method) {
        return (method.access & Opcodes.ACC_BRIDGE) != 0 || method.name.startsWith("access$");
    }

    /** With or without the package. */
    private static boolean matches(String glob, String label) {
        if (Glob.matches(glob, label) || Glob.matches(glob + ".*", label)) return true;
        int method = label.lastIndexOf('.');
        int type = label.lastIndexOf('.', method - 1);
        return type >= 0 && Glob.matches(glob, label.substring(type + 1));
    }

    private static boolean isAnnotated(java.util.List<AnnotationNode> annotations) {
        if (annotations != null) for (AnnotationNode each : annotations) if (each.desc.equals(ATOMIC)) return true;
        return false;
    }

    /** What a thread does from its beginning to its end is not meant to be atomic. */
    private static boolean isThreadBody(MethodNode method) {
        return method.name.equals("main") && method.desc.equals("([Ljava/lang/String;)V")
                || method.name.equals("run") && method.desc.equals("()V")
                || method.name.equals("call") && method.desc.startsWith("()")
                || method.name.startsWith("lambda$");
    }

    private static boolean synchronises(MethodNode method) {
        if ((method.access & Opcodes.ACC_SYNCHRONIZED) != 0) return true;
        for (AbstractInsnNode at : method.instructions) {
            if (at.getOpcode() == Opcodes.MONITORENTER) return true;
            if (at instanceof MethodInsnNode call && LibraryCalls.isLocking(call)) return true;
        }
        return false;
    }

    private static boolean waits(MethodNode method) {
        for (AbstractInsnNode at : method.instructions)
            if (at instanceof MethodInsnNode call && LibraryCalls.isWaiting(call)) return true;
        return false;
    }
}
