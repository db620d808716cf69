package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;
import trackside.runtime.ClassInfo;
import trackside.runtime.FieldRef;
import trackside.runtime.Notes;

/** Puts probes into one class, and a place for the shadows of its objects. */
final class ClassRewriter {
    /** With room for those that we add: there may be 65,535, and a call takes 256 at most. */
    private static final int MOST_LOCALS = 65_000;

    final Options options;
    final ClassNode node;
    private final ClassLoader loader;
    private final Steps steps;
    private final Map<String, FieldRef> fields = new HashMap<>();
    private final String folder;
    private final boolean isMeasured;

    ClassRewriter(Options options, ClassNode node, ClassLoader loader, Steps steps) {
        this.options = options;
        this.steps = steps;
        this.node = node;
        this.loader = loader;
        int slash = node.name.lastIndexOf('/');
        isMeasured = Coverage.isMeasured(node);
        folder = slash < 0 ? "" : node.name.substring(0, slash + 1);
    }

    void addShadow() {
        node.fields.add(new FieldNode(
                ACC_PUBLIC | ACC_TRANSIENT | ACC_SYNTHETIC, FieldRef.SHADOW, "Ljava/lang/Object;", null, null));
    }

    void rewriteMethods(Blocks blocks, Set<String> leftOut) {
        CodeFacts facts = isOfJdk() || !options.isJudged ? null : new CodeFacts(node, folder);
        for (MethodNode method : node.methods) {
            if (method.instructions.size() == 0 || leftOut.contains(method.name + method.desc)) continue;
            if (method.maxLocals > MOST_LOCALS) {
                if (leftOut.isEmpty())
                    Notes.say("Not watched: " + Blocks.label(node, method) + ", as it has too many local variables.");
                continue;
            }
            boolean isBlock = blocks.isBlock(node, method, loader);
            if (facts != null) facts.add(method, isBlock, isBlock && blocks.isNamed(node, method));
            new MethodRewriter(this, method, isBlock, isBlock && blocks.isSplit(node, method)).rewrite();
            if (!isOfJdk()) Lane.give(method);
        }
        if (facts != null) facts.send();
    }

    boolean isOfJdk() {
        return Selection.isOfJdk(loader);
    }

    boolean isMeasured() {
        return isMeasured;
    }

    boolean watchesArrays() {
        return true;
    }

    /** Whether it may be a field that changes. */
    boolean isWatched(FieldInsnNode at, boolean isStatic) {
        if (at.name.equals(FieldRef.SHADOW) || at.name.startsWith("this$") || at.name.startsWith("val$")) return false;
        if (!at.owner.equals(node.name)) return true;
        for (FieldNode field : node.fields)
            if (field.name.equals(at.name)) return (field.access & ACC_FINAL) == 0;
        return true;
    }

    FieldRef field(FieldInsnNode at, boolean isStatic) {
        String key = at.owner + "." + at.name + (isStatic ? "!" : "");
        FieldRef known = fields.get(key);
        if (known == null) fields.put(key, known = new FieldRef(loader, at.owner, at.name, isStatic));
        return known;
    }

    /** The first class above another one, of which a method is called, that lies in a package of the JDK; null if there is none. */
    String ancestorIn(String name, String prefix, String method) {
        if (name.startsWith("[")) return null;
        String above = name.equals(node.name) ? node.superName : superName(name, method);
        while (above != null && !above.startsWith("java/")) above = superName(above, method);
        return above != null && above.startsWith(prefix) ? above : null;
    }

    /** Of a class that is not loaded yet, its file is read, if that is worth it. */
    private String superName(String name, String method) {
        String known = ClassInfo.superName(loader, name);
        return known == null && Steps.isNameOfStep(method) ? steps.superName(loader, name) : known;
    }

    /** `bank/Account.java:31`. */
    String location(int line, MethodNode method) {
        if (node.sourceFile == null || line == 0) return node.name.replace('/', '.') + "." + method.name;
        return folder + node.sourceFile + ":" + line;
    }

    byte[] bytes(ClassReader reader) throws MethodTooLargeException {
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        node.accept(writer);
        return writer.toByteArray();
    }
}
