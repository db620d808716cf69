package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Methods of the JDK at whose beginning or end something is told to the runtime; hooks.txt lists them. */
final class JdkHooks {
    private record Hook(String method, String descriptor, String when, String with, String owner, String target) {}

    private static final String TWO_OBJECTS = "(Ljava/lang/Object;Ljava/lang/Object;)";
    private static final String FIELDS = "[Ljava/lang/reflect/Field;";
    private static final Map<String, List<Hook>> hooks = new LinkedHashMap<>();

    static {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                JdkHooks.class.getResourceAsStream("hooks.txt"), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isBlank() || line.startsWith("#")) continue;
                String[] words = line.split(" ");
                String[] target = words[5].split("\\.");
                Hook hook = new Hook(
                        words[1], words[2], words[3], words[4], "trackside/runtime/" + target[0], target[1]);
                hooks.computeIfAbsent(words[0], name -> new ArrayList<>()).add(hook);
            }
        } catch (IOException broken) {
            throw new ExceptionInInitializerError(broken);
        }
    }

    private JdkHooks() {}

    /** Those classes that this JDK has. */
    static Set<Class<?>> load() {
        Set<Class<?>> loaded = new LinkedHashSet<>();
        for (String name : hooks.keySet()) {
            try {
                loaded.add(Class.forName(name.replace('/', '.'), false, null));
            } catch (ClassNotFoundException absent) {
                // It is of another version.
            }
        }
        return loaded;
    }

    static boolean has(String name) {
        return hooks.containsKey(name);
    }

    static void apply(ClassNode node) {
        for (MethodNode method : node.methods) {
            if (method.instructions.size() == 0) continue;
            for (Hook hook : hooks.get(node.name)) {
                boolean isNamed = hook.method.equals("*") || method.name.equals(hook.method) && !isBridge(method);
                if (isNamed && (hook.descriptor.equals("*") || hook.descriptor.equals(method.desc)))
                    insert(node, method, hook);
            }
        }
    }

    private static boolean isBridge(MethodNode method) {
        return (method.access & ACC_BRIDGE) != 0;
    }

    private static void insert(ClassNode node, MethodNode method, Hook hook) {
        InsnList code = method.instructions;
        if (hook.when.equals("entry")) {
            code.insert(call(node, method, hook));
            return;
        }
        int colon = hook.when.indexOf(':');
        for (AbstractInsnNode at : code.toArray()) {
            if (at instanceof FieldInsnNode field && colon > 0 && field.name.equals(hook.when.substring(colon + 1)))
                field(code, field, hook);
            int opcode = at.getOpcode();
            boolean isReturn = opcode >= IRETURN && opcode <= RETURN;
            if (colon > 0) {
                boolean isCalled = at instanceof MethodInsnNode call
                        && hook.when.startsWith("call:")
                        && call.name.equals(hook.when.substring(colon + 1));
                if (isCalled) code.insertBefore(at, call(node, method, hook));
            } else if (isReturn && hook.when.equals("true") && opcode == IRETURN) {
                InsnList list = new InsnList();
                list.add(new InsnNode(DUP));
                list.add(new VarInsnNode(ALOAD, 0));
                list.add(MethodRewriter.call(hook.owner, hook.target, "(ZLjava/lang/Object;)V"));
                code.insertBefore(at, list);
            } else if (isReturn && !hook.when.equals("true")) code.insertBefore(at, call(node, method, hook));
        }
        if (hook.when.equals("leave")) leaveByException(node, method, hook);
    }

    /** The object and the value are told; nothing stays on the stack that was not there. */
    private static void field(InsnList code, FieldInsnNode at, Hook hook) {
        if (at.getOpcode() == GETFIELD && hook.when.startsWith("read:")) {
            code.insertBefore(at, new InsnNode(DUP));
            code.insert(at, MethodRewriter.call(hook.owner, hook.target, TWO_OBJECTS + "Ljava/lang/Object;"));
        } else if (at.getOpcode() == PUTFIELD && hook.when.startsWith("write:")) {
            code.insertBefore(at, new InsnNode(DUP2));
            code.insertBefore(at, MethodRewriter.call(hook.owner, hook.target, TWO_OBJECTS + "V"));
        }
    }

    private static void leaveByException(ClassNode node, MethodNode method, Hook hook) {
        InsnList code = method.instructions;
        LabelNode start = new LabelNode();
        LabelNode handler = new LabelNode();
        code.insert(start);
        code.add(handler);
        Object[] locals = hook.with.equals("this") ? new Object[] {node.name} : new Object[0];
        code.add(new FrameNode(F_NEW, locals.length, locals, 1, new Object[] {"java/lang/Throwable"}));
        code.add(call(node, method, hook));
        code.add(new InsnNode(ATHROW));
        method.tryCatchBlocks.add(new TryCatchBlockNode(start, handler, handler, null));
    }

    private static InsnList call(ClassNode node, MethodNode method, Hook hook) {
        InsnList list = new InsnList();
        if (hook.with.equals("fields")) {
            list.add(new VarInsnNode(ALOAD, 1));
            list.add(MethodRewriter.call(hook.owner, hook.target, "(" + FIELDS + ")" + FIELDS));
            list.add(new VarInsnNode(ASTORE, 1));
            return list;
        }
        StringBuilder parameters = new StringBuilder();
        if (!hook.with.equals("none"))
            for (String with : hook.with.split(",")) parameters.append(load(list, with, node, method, hook));
        list.add(MethodRewriter.call(hook.owner, hook.target, "(" + parameters + ")V"));
        return list;
    }

    /** Loads what is told, and gives its type. */
    private static String load(InsnList list, String with, ClassNode node, MethodNode method, Hook hook) {
        switch (with) {
            case "top" -> list.add(new InsnNode(DUP));
            case "result" -> {
                list.add(new InsnNode(DUP));
                return method.desc.endsWith(")Z") ? "Z" : "Ljava/lang/Object;";
            }
            default -> list.add(new VarInsnNode(ALOAD, Character.isDigit(with.charAt(0)) ? Integer.parseInt(with) : 0));
        }
        for (FieldNode field : node.fields)
            if (with.equals("." + field.name)) list.add(new FieldInsnNode(GETFIELD, node.name, field.name, field.desc));
        return hook.owner.endsWith("/Threads") ? "Ljava/lang/Thread;" : "Ljava/lang/Object;";
    }
}
