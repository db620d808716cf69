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
    private final CheckThenAct checkThenAct;

    Blocks(Options options, Steps steps) {
        this.options = options;
        checkThenAct = new CheckThenAct(steps);
    }

    static String label(ClassNode type, MethodNode method) {
        return type.name.replace('/', '.') + "." + method.name;
    }

    boolean isBlock(ClassNode type, MethodNode method, ClassLoader loader) {
        if (method.name.equals("<clinit>") || (method.access & Opcodes.ACC_SYNTHETIC) != 0 && isBridge(method))
            return false;
        if (isNamed(type, method)) return true;
        boolean waits = waits(method);
        if (isThreadBody(method)) return !waits && isTask(method) && !Selection.isOfJdk(loader) && checkThenAct.isIn(type, method, loader);
        if (!waits && (options.atomicAll || synchronises(method))) return true;
        boolean isOrdinary = !method.name.equals("<init>") && !Selection.isOfJdk(loader);
        return isOrdinary && (!waits || isSplit(type, method)) && checkThenAct.isIn(type, method, loader);
    }

    /**
     * Of one that waits for others, and that nobody has named: whether what it does before and after that may be blocks, each for itself. It
     * may be if it waits nowhere in a loop.
     */
    boolean isSplit(ClassNode type, MethodNode method) {
        if (isNamed(type, method) || options.atomicAll || !waits(method)) return false;
        for (AbstractInsnNode at : method.instructions) {
            if (!(at instanceof MethodInsnNode call)) continue;
            if (LibraryCalls.givesUpLock(call)) return false;
            int index = method.instructions.indexOf(call);
            if (LibraryCalls.isWaiting(call) && CheckThenAct.isLoop(method.instructions, index, index) || isPause(method, call)) return false;
        }
        return true;
    }

    /** Whether somebody has said so. */
    boolean isNamed(ClassNode type, MethodNode method) {
        for (String glob : options.atomic) if (matches(glob, label(type, method))) return true;
        return isAnnotated(method.invisibleAnnotations) || isAnnotated(type.invisibleAnnotations);
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

    /** One that comes to its end without a loop is a piece of work among many, rather than all that a thread does. */
    private static boolean isTask(MethodNode method) {
        return !method.name.equals("main") && !CheckThenAct.isLoop(method.instructions);
    }

    static boolean synchronises(MethodNode method) {
        if ((method.access & Opcodes.ACC_SYNCHRONIZED) != 0) return true;
        for (AbstractInsnNode at : method.instructions) {
            if (at.getOpcode() == Opcodes.MONITORENTER) return true;
            if (at instanceof MethodInsnNode call && (LibraryCalls.isLocking(call) || isSpinning(method, call))) return true;
        }
        return false;
    }

    /** A lock made of a flag: `while (!busy.compareAndSet(false, true))`, and some time later `busy.set(false)`. */
    private static boolean isSpinning(MethodNode method, MethodInsnNode call) {
        if (!call.owner.equals(CallRewriter.ATOMIC_VARIABLES + "AtomicBoolean")) return false;
        if (!call.name.equals("compareAndSet") && !call.name.equals("getAndSet")) return false;
        int index = method.instructions.indexOf(call);
        String flag = Operands.receiver(call);
        if (flag == null || !CheckThenAct.isLoop(method.instructions, index, index)) return false;
        for (AbstractInsnNode at = call.getNext(); at != null; at = at.getNext())
            if (at instanceof MethodInsnNode other && other.owner.equals(call.owner) && other.name.matches("(lazyS|s)et\\w*"))
                if (flag.equals(Operands.receiver(other))) return true;
        return false;
    }

    /**
     * Whether others are meant to run in between. Who gives up a monitor to wait begins another block after it; but a loop around that
     * is what a thread does all the time.
     */
    private static boolean waits(MethodNode method) {
        boolean givesUp = false;
        for (AbstractInsnNode at : method.instructions) {
            if (!(at instanceof MethodInsnNode call)) continue;
            if (LibraryCalls.givesUpLock(call)) givesUp = true;
            else if (LibraryCalls.isWaiting(call) || isPause(method, call)) return true;
        }
        return givesUp && locksInLoop(method);
    }

    /** Whether it waits, by its code, for threads or for work that was given to some. */
    static boolean waitsForOthers(MethodNode method) {
        for (AbstractInsnNode at : method.instructions)
            if (at instanceof MethodInsnNode call && LibraryCalls.isWaiting(call) && !LibraryCalls.givesUpLock(call)) return true;
        return false;
    }

    private static boolean locksInLoop(MethodNode method) {
        for (AbstractInsnNode at : method.instructions) {
            if (at.getOpcode() != Opcodes.MONITORENTER && !(at instanceof MethodInsnNode call && LibraryCalls.isLocking(call)))
                continue;
            int index = method.instructions.indexOf(at);
            if (CheckThenAct.isLoop(method.instructions, index, index)) return true;
        }
        return false;
    }

    /** Who sleeps again and again waits for something; who sleeps once only takes a long time. */
    private static boolean isPause(MethodNode method, MethodInsnNode call) {
        if (!call.owner.equals("java/lang/Thread") || !call.name.equals("sleep")) return false;
        int at = method.instructions.indexOf(call);
        return CheckThenAct.isLoop(method.instructions, at, at);
    }
}
