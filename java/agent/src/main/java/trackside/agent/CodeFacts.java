package trackside.agent;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import trackside.runtime.Sections;

/** What the judgement has to know of a class: the lines of its methods, and of its blocks, what they call and what goes by what. */
final class CodeFacts {
    private final String type;
    /** Null if it is not known. */
    private final String file;

    private final List<String> above = new ArrayList<>();
    private final List<String> methods = new ArrayList<>();
    private final List<String> blocks = new ArrayList<>();
    private final TreeSet<String> calls = new TreeSet<>();

    CodeFacts(ClassNode node, String folder) {
        type = node.name;
        file = node.sourceFile == null ? null : folder + node.sourceFile;
        if (node.superName != null && !node.superName.equals("java/lang/Object")) above.add(node.superName);
        above.addAll(node.interfaces);
    }

    /** To be called before anything is put into the method. */
    void add(MethodNode method, boolean isBlock, boolean isNamed) {
        int first = Integer.MAX_VALUE;
        int last = 0;
        for (AbstractInsnNode at : method.instructions) {
            if (at instanceof LineNumberNode number) {
                first = Math.min(first, number.line);
                last = Math.max(last, number.line);
            } else if (at instanceof MethodInsnNode call) calls.add(Dependences.nameOf(call));
            else if (at instanceof InvokeDynamicInsnNode made)
                for (Object given : made.bsmArgs)
                    if (given instanceof Handle function && function.getTag() >= Opcodes.H_INVOKEVIRTUAL) calls.add(Dependences.nameOf(function));
        }
        if (last == 0 && file != null) return;
        if (file != null) {
            int count = Type.getArgumentTypes(method.desc).length;
            methods.add(quoted(method.name + "/" + count) + "," + first + "," + last);
        }
        if (isBlock) blocks.add(block(method, isNamed, first, last));
    }

    void send() {
        String where = quoted(file == null ? type.replace('/', '.') : file);
        StringBuilder text = new StringBuilder("{\"type\":").append(quoted(type)).append(",\"file\":").append(where);
        if (!above.isEmpty()) text.append(",\"above\":").append(names(above));
        if (!methods.isEmpty()) text.append(",\"methods\":").append(list(methods));
        if (!blocks.isEmpty()) text.append(",\"calls\":").append(names(calls));
        Sections.add(text.append('}').toString());
        for (String block : blocks) Sections.add(block);
    }

    private static String list(List<String> items) {
        return "[" + String.join(",", items) + "]";
    }

    private static String names(Iterable<String> names) {
        List<String> quoted = new ArrayList<>();
        for (String name : names) quoted.add(quoted(name));
        return list(quoted);
    }

    private String block(MethodNode method, boolean isNamed, int first, int last) {
        StringBuilder text = new StringBuilder("{\"block\":");
        text.append(quoted(type.replace('/', '.') + "." + method.name));
        text.append(",\"file\":").append(quoted(file == null ? type.replace('/', '.') : file));
        if (file != null) text.append(",\"lines\":[").append(first).append(',').append(last).append(']');
        if (isNamed) text.append(",\"named\":true");
        Dependences found = file == null ? null : Dependences.of(type, method);
        if (found != null) {
            text.append(",\"steps\":").append(names(found.names()));
            text.append(",\"goesBy\":").append(pairs(found.goesBy(false)));
            text.append(",\"decidedBy\":").append(pairs(found.goesBy(true)));
        }
        return text.append('}').toString();
    }

    private static String pairs(Map<Integer, BitSet> all) {
        StringBuilder text = new StringBuilder("{");
        for (Map.Entry<Integer, BitSet> each : all.entrySet()) {
            text.append(text.length() == 1 ? "" : ",").append('"').append(each.getKey()).append("\":[");
            text.append(each.getValue().toString(), 1, each.getValue().toString().length() - 1).append(']');
        }
        return text.append('}').toString();
    }

    private static String quoted(String name) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < name.length(); i++) {
            char each = name.charAt(i);
            if (each == '"' || each == '\\') text.append('\\').append(each);
            else if (each < ' ' || Character.isSurrogate(each)) text.append(String.format("\\u%04x", (int) each));
            else text.append(each);
        }
        return text.append('"').toString();
    }
}
