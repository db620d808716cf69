package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** What a single call does to data that several threads are meant to use, as far as its name or its code says so. */
final class Steps {
    enum Kind {
        /** Tells how things are. */
        CHECK,
        CHANGE,
        NONE
    }

    private static final Pattern CHECKS = Pattern.compile(
            "get|getOrDefault|contains\\w*|isEmpty|size|peek\\w*|indexOf|first\\w*|last\\w*|getFirst|getLast|elementAt|length");

    private static final Pattern CHANGES =
            Pattern.compile("(put|add|set|remove|push|pop|poll|offer|insert|clear|replace|append|delete)\\w*");

    /** Collections of which a field of that type may well be used by several threads. */
    private static final Pattern SHARED = Pattern.compile(
            "java/util/(Map|SortedMap|NavigableMap|List|Set|SortedSet|NavigableSet|Collection|Queue|Deque|Vector|Stack|Hashtable)"
                    + "|java/lang/StringBuffer");

    private static final Pattern CONCURRENT =
            Pattern.compile("java/util/concurrent/(Concurrent|CopyOnWrite|\\w*Queue|\\w*Deque)\\w*");

    /** `this`, what is written, the field and the return. */
    private static final int MOST_OF_ACCESSOR = 4;

    /** By loader and name of a class: what its methods are that synchronise. */
    private final Map<ClassLoader, Map<String, Map<String, Kind>>> known = Collections.synchronizedMap(new WeakHashMap<>());

    /** To be called for each class that is going to be watched. */
    void add(ClassLoader loader, ClassNode type) {
        Map<String, Kind> methods = new HashMap<>();
        for (MethodNode method : type.methods) {
            Kind kind = ofMethod(type, method);
            if (kind != Kind.NONE) methods.put(method.name + method.desc, kind);
        }
        Map<String, Map<String, Kind>> classes;
        synchronized (known) {
            classes = known.get(loader);
            if (classes == null) known.put(loader, classes = Collections.synchronizedMap(new HashMap<>()));
        }
        classes.put(type.name, methods);
    }

    private static Kind ofMethod(ClassNode type, MethodNode method) {
        if (method.name.startsWith("<")) return Kind.NONE;
        if (!Blocks.synchronises(method)) return ofAccessor(type, method);
        if (stores(type, method)) return Kind.CHANGE;
        for (AbstractInsnNode at : method.instructions) {
            if (!(at instanceof MethodInsnNode call)) continue;
            if (call.owner.startsWith("java/util/") && CHANGES.matcher(call.name).matches()) return Kind.CHANGE;
            // In Scala, a class uses its own fields by methods, too.
            MethodNode own = call.owner.equals(type.name) ? methodOf(type, call) : null;
            if (own != null && countOf(own) <= MOST_OF_ACCESSOR && stores(type, own)) return Kind.CHANGE;
        }
        return method.desc.endsWith(")V") ? Kind.NONE : Kind.CHECK;
    }

    private static boolean stores(ClassNode type, MethodNode method) {
        boolean isMeasured = Coverage.isMeasured(type);
        for (AbstractInsnNode at : method.instructions) {
            int opcode = at.getOpcode();
            if (isMeasured && Coverage.isProbe(at)) continue;
            if (opcode == PUTFIELD || opcode == PUTSTATIC || opcode >= IASTORE && opcode <= SASTORE) return true;
        }
        return false;
    }

    private static MethodNode methodOf(ClassNode type, MethodInsnNode call) {
        for (MethodNode method : type.methods)
            if (method.name.equals(call.name) && method.desc.equals(call.desc)) return method;
        return null;
    }

    /** Of a method that does nothing but read or write a volatile field. */
    private static Kind ofAccessor(ClassNode type, MethodNode method) {
        if (countOf(method) > MOST_OF_ACCESSOR) return Kind.NONE;
        for (AbstractInsnNode at : method.instructions)
            if (at instanceof FieldInsnNode field && CheckThenAct.isVolatile(type, field))
                return at.getOpcode() == GETFIELD || at.getOpcode() == GETSTATIC ? Kind.CHECK : Kind.CHANGE;
        return Kind.NONE;
    }

    /** How many instructions there are that do something. */
    private static int countOf(MethodNode method) {
        int count = 0;
        for (AbstractInsnNode at : method.instructions) if (at.getOpcode() >= 0) count++;
        return count;
    }

    /** What there is to see without knowing the method. */
    static boolean mayBeStep(MethodInsnNode call) {
        if (call.name.startsWith("<") || call.owner.startsWith("[")) return false;
        boolean isOfJdk = call.owner.startsWith("java/") || call.owner.startsWith("javax/") || call.owner.startsWith("jdk/");
        return !isOfJdk || call.owner.startsWith("java/util/") || call.owner.equals("java/lang/StringBuffer");
    }

    Kind of(MethodInsnNode call, String receiver, ClassLoader loader) {
        if (call.owner.startsWith("java/util/concurrent/atomic/"))
            return switch (LibraryCalls.atomicKind(call.owner, call.name)) {
                case READ -> Kind.CHECK;
                case WRITE, UPDATE -> Kind.CHANGE;
                default -> Kind.NONE;
            };
        // What is in a local variable only is the method's own, unless it is made for threads.
        if (CONCURRENT.matcher(call.owner).matches() || SHARED.matcher(call.owner).matches() && receiver.indexOf('.') > 0)
            return byName(call.name);
        if (call.owner.startsWith("java/")) return Kind.NONE;
        return methodsOf(loader, call.owner).getOrDefault(call.name + call.desc, Kind.NONE);
    }

    private static Kind byName(String name) {
        if (CHECKS.matcher(name).matches()) return Kind.CHECK;
        return CHANGES.matcher(name).matches() ? Kind.CHANGE : Kind.NONE;
    }

    private Map<String, Kind> methodsOf(ClassLoader loader, String name) {
        for (ClassLoader each = loader; each != null; each = each.getParent()) {
            Map<String, Map<String, Kind>> classes = known.get(each);
            Map<String, Kind> methods = classes == null ? null : classes.get(name);
            if (methods != null) return methods;
        }
        // A loader of the program's own might be surprised to be asked.
        if (loader == null || !loader.getClass().getName().startsWith("jdk.internal.loader.")) return Map.of();
        ClassNode type = new ClassNode();
        type.name = name;
        try (InputStream file = loader.getResourceAsStream(name + ".class")) {
            if (file != null) new ClassReader(file).accept(type, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        } catch (IOException | RuntimeException unreadable) {
            type.methods.clear();
        }
        add(loader, type);
        return known.get(loader).get(name);
    }
}
