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
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
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
    /** By class: the lines of the list, which are taken apart when the class comes. */
    private static final Map<String, List<String>> lines = new LinkedHashMap<>();

    private JdkHooks() {}

    /** Reads the list; those that tell what collections do inside only if that is to be watched. */
    static void read(boolean watchesJdk) throws IOException {
        try (Resource file = Resource.open("trackside/agent/hooks.txt");
                BufferedReader list = new BufferedReader(new InputStreamReader(file.stream(), StandardCharsets.UTF_8))) {
            for (String line = list.readLine(); line != null; line = list.readLine()) {
                if (line.isEmpty() || line.startsWith("#")) continue;
                int target = line.lastIndexOf(' ') + 1;
                boolean isInside = line.startsWith("MapOperations.", target) || line.startsWith("Probes.", target);
                if (isInside && !watchesJdk) continue;
                String type = line.substring(0, line.indexOf(' '));
                List<String> known = lines.get(type);
                if (known == null) lines.put(type, known = new ArrayList<>());
                known.add(line);
            }
        }
    }

    private static List<Hook> hooksOf(String type) {
        List<Hook> hooks = new ArrayList<>();
        for (String line : lines.get(type)) {
            String[] words = line.split(" ");
            int dot = words[5].indexOf('.');
            String owner = "trackside/runtime/" + words[5].substring(0, dot);
            hooks.add(new Hook(words[1], words[2], words[3], words[4], owner, words[5].substring(dot + 1)));
        }
        return hooks;
    }

    /**
     * Those classes that this JDK has and that we may use ourselves while we rewrite others: what is loaded then is not shown to us. The
     * rest is rewritten when the program loads it, most often never.
     */
    static Set<Class<?>> load() {
        Set<Class<?>> loaded = new LinkedHashSet<>();
        for (String name : lines.keySet()) {
            if (name.startsWith("java/util/concurrent/") || name.startsWith("java/util/Timer")) continue;
            try {
                loaded.add(Class.forName(name.replace('/', '.'), false, null));
            } catch (ClassNotFoundException absent) {
                // It is of another version.
            }
        }
        return loaded;
    }

    static boolean has(String name) {
        return lines.containsKey(name);
    }

    static void apply(ClassNode node) {
        List<Hook> hooks = hooksOf(node.name);
        for (MethodNode method : node.methods) apply(node, method, hooks);
    }

    private static void apply(ClassNode node, MethodNode method, List<Hook> hooks) {
        if (method.instructions.size() == 0) return;
        for (Hook hook : hooks)
            if (isAbout(hook, method.access, method.name, method.desc)) insert(node, method, hook);
    }

    private static boolean isAbout(Hook hook, int access, String method, String descriptor) {
        boolean isBridge = (access & ACC_BRIDGE) != 0;
        boolean isNamed = hook.method.equals("*") || method.equals(hook.method) && !isBridge;
        return isNamed && (hook.descriptor.equals("*") || hook.descriptor.equals(descriptor));
    }

    private static boolean hasAbout(List<Hook> hooks, int access, String method, String descriptor) {
        for (Hook hook : hooks) if (isAbout(hook, access, method, descriptor)) return true;
        return false;
    }

    /** The class with its hooks, and nothing else changed: methods without one are copied as they are, which is quick. */
    static byte[] applied(ClassReader reader, ClassNode node) {
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new Applying(node, writer), ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }

    /** Keeps of the class what hooks need to know. */
    private static final class Applying extends ClassVisitor {
        private final ClassNode node;
        private List<Hook> hooks;

        Applying(ClassNode node, ClassWriter writer) {
            super(ASM9, writer);
            this.node = node;
        }

        @Override
        public void visit(int version, int access, String name, String signature, String above, String[] interfaces) {
            node.visit(version, access, name, signature, above, interfaces);
            hooks = hooksOf(name);
            super.visit(version, access, name, signature, above, interfaces);
        }

        @Override
        public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
            node.visitField(access, name, descriptor, signature, value);
            return super.visitField(access, name, descriptor, signature, value);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
            if (!hasAbout(hooks, access, name, descriptor))
                return super.visitMethod(access, name, descriptor, signature, thrown);
            return new MethodNode(ASM9, access, name, descriptor, signature, thrown) {
                @Override
                public void visitEnd() {
                    apply(node, this, hooks);
                    accept(cv);
                }
            };
        }
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
