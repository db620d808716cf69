package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Methods of the JDK at whose beginning or end something is told to the runtime. */
final class JdkHooks {
    private enum When {
        ENTRY,
        EXIT
    }

    /** What is passed: nothing, `this`, or, for the filter, the second argument, which the call replaces. */
    private enum With {
        NOTHING,
        THIS,
        REPLACED_SECOND
    }

    private record Hook(String method, String descriptor, When when, With with, String owner, String target) {}

    private static final String THREADS = "trackside/runtime/Threads";
    private static final String THREAD = "(Ljava/lang/Thread;)V";
    private static final Map<String, List<Hook>> hooks = new LinkedHashMap<>();

    static {
        hooks.put(
                "java/lang/Thread",
                List.of(
                        new Hook("start", "()V", When.ENTRY, With.THIS, THREADS, "starting"),
                        new Hook(
                                "start",
                                "(Ljdk/internal/vm/ThreadContainer;)V",
                                When.ENTRY,
                                With.THIS,
                                THREADS,
                                "starting"),
                        new Hook("exit", "()V", When.ENTRY, With.NOTHING, THREADS, "ending"),
                        new Hook("join", "(J)V", When.EXIT, With.THIS, THREADS, "joined"),
                        new Hook("join", "(Ljava/time/Duration;)Z", When.EXIT, With.THIS, THREADS, "joined")));
        hooks.put(
                "java/lang/VirtualThread",
                List.of(
                        new Hook("start", "()V", When.ENTRY, With.THIS, THREADS, "starting"),
                        new Hook(
                                "start",
                                "(Ljdk/internal/vm/ThreadContainer;)V",
                                When.ENTRY,
                                With.THIS,
                                THREADS,
                                "starting"),
                        new Hook("run", "(Ljava/lang/Runnable;)V", When.EXIT, With.NOTHING, THREADS, "ending")));
        hooks.put(
                "java/lang/Shutdown",
                List.of(
                        new Hook("halt", "(I)V", When.ENTRY, With.NOTHING, THREADS, "halting"),
                        new Hook("shutdown", "()V", When.EXIT, With.NOTHING, THREADS, "halting")));
        hooks.put(
                "jdk/internal/reflect/Reflection",
                List.of(new Hook(
                        "filterFields",
                        "(Ljava/lang/Class;[Ljava/lang/reflect/Field;)[Ljava/lang/reflect/Field;",
                        When.ENTRY,
                        With.REPLACED_SECOND,
                        "trackside/runtime/Reflected",
                        "withoutShadows")));
    }

    private JdkHooks() {}

    static Set<String> classes() {
        return hooks.keySet();
    }

    static boolean has(String name) {
        return hooks.containsKey(name);
    }

    /** Null where this JDK has no such class. */
    static Class<?> find(String name) {
        try {
            return Class.forName(name.replace('/', '.'), false, null);
        } catch (ClassNotFoundException absent) {
            return null;
        }
    }

    static void apply(ClassNode node) {
        for (MethodNode method : node.methods)
            for (Hook hook : hooks.get(node.name))
                if (method.name.equals(hook.method) && method.desc.equals(hook.descriptor)) insert(method, hook);
    }

    private static void insert(MethodNode method, Hook hook) {
        InsnList code = method.instructions;
        if (code.size() == 0) return;
        if (hook.when == When.ENTRY) {
            code.insert(call(hook));
            return;
        }
        for (AbstractInsnNode at : code.toArray()) {
            int opcode = at.getOpcode();
            if (opcode >= IRETURN && opcode <= RETURN || opcode == ATHROW && method.name.equals("run"))
                code.insertBefore(at, call(hook));
        }
    }

    private static InsnList call(Hook hook) {
        InsnList list = new InsnList();
        switch (hook.with) {
            case NOTHING -> list.add(MethodRewriter.call(hook.owner, hook.target, "()V"));
            case THIS -> {
                list.add(new VarInsnNode(ALOAD, 0));
                list.add(MethodRewriter.call(hook.owner, hook.target, THREAD));
            }
            case REPLACED_SECOND -> {
                String fields = Type.getDescriptor(java.lang.reflect.Field[].class);
                list.add(new VarInsnNode(ALOAD, 1));
                list.add(MethodRewriter.call(hook.owner, hook.target, "(" + fields + ")" + fields));
                list.add(new VarInsnNode(ASTORE, 1));
                list.add(new InsnNode(NOP));
            }
        }
        return list;
    }
}
