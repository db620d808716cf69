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
            "get|getOrDefault|contains\\w*|isEmpty|size|peek\\w*|indexOf|first\\w*|last\\w*|getFirst|getLast|elementAt|length"
                    + "|(ceiling|floor|higher|lower)\\w*|toArray|element|getProperty|mappingCount|remainingCapacity"
                    // What is seen one by one.
                    + "|iterator|entrySet|keySet|values|stream|forEach|toString");

    /** Of a property, or of something that is kept for many: `findById` and `save`. */
    private static final Pattern GETTERS = Pattern.compile("(get|is|has|find|load|fetch|lookup|exists)([A-Z]\\w*)?");

    private static final Pattern STORES = Pattern.compile("(save|store|update|persist|insert|delete)([A-Z]\\w*)?");

    private static final Pattern CHANGES =
            Pattern.compile("(put|add|set|remove|push|pop|poll|offer|insert|clear|replace|append|delete)\\w*");

    /** Collections of which a field of that type may well be used by several threads. */
    private static final Pattern SHARED = Pattern.compile(
            "java/util/(Map|SortedMap|NavigableMap|List|Set|SortedSet|NavigableSet|Collection|Queue|Deque|Vector|Stack|Hashtable|Properties)"
                    + "|java/lang/StringBuffer");

    private static final Pattern CONCURRENT =
            Pattern.compile("java/util/concurrent/(Concurrent|CopyOnWrite|\\w*Queue|\\w*Deque)\\w*");

    private static final String HANDLE = "java/lang/invoke/VarHandle";

    /** `this`, what is written, the field and the return. */
    private static final int MOST_OF_ACCESSOR = 4;

    /** What the methods of a class are that synchronise or have no code of their own, and the class above it. */
    private record Known(Map<String, Kind> methods, Map<String, Kind> undefined, String above) {
        static final Known NOTHING = new Known(Map.of(), Map.of(), null);
    }

    /** By loader and name. */
    private final Map<ClassLoader, Map<String, Known>> known = Collections.synchronizedMap(new WeakHashMap<>());

    /** To be called for each class that is going to be watched. */
    void add(ClassLoader loader, ClassNode type) {
        Map<String, Kind> methods = new HashMap<>();
        Map<String, Kind> undefined = new HashMap<>();
        for (MethodNode method : type.methods) {
            boolean isDefined = (method.access & ACC_ABSTRACT) == 0;
            Kind kind = isDefined ? ofMethod(type, method) : byName(method);
            if (kind != Kind.NONE) (isDefined ? methods : undefined).put(method.name + method.desc, kind);
        }
        Map<String, Known> classes;
        synchronized (known) {
            classes = known.get(loader);
            if (classes == null) known.put(loader, classes = Collections.synchronizedMap(new HashMap<>()));
        }
        classes.put(type.name, new Known(methods, undefined, type.superName));
    }

    /** Of what others are to define: who does so may synchronise. */
    private static Kind byName(MethodNode method) {
        boolean isGetter = !method.desc.endsWith(")V") && GETTERS.matcher(method.name).matches();
        if (isGetter) return Kind.CHECK;
        return STORES.matcher(method.name).matches() ? Kind.CHANGE : byName(method.name);
    }

    private static Kind ofMethod(ClassNode type, MethodNode method) {
        if (method.name.startsWith("<")) return Kind.NONE;
        if (!Blocks.synchronises(method)) {
            Kind kind = ofAccessor(type, method);
            return kind != Kind.NONE ? kind : ofKeeper(method);
        }
        if (stores(type, method)) return Kind.CHANGE;
        for (AbstractInsnNode at : method.instructions) {
            if (!(at instanceof MethodInsnNode call)) continue;
            boolean isText = call.owner.startsWith("java/lang/StringBu") && isOfField(call);
            if ((isText || !call.owner.startsWith("java/lang/")) && CHANGES.matcher(call.name).matches()) return Kind.CHANGE;
            // In Scala, a class uses its own fields by methods, too.
            MethodNode own = call.owner.equals(type.name) ? methodOf(type, call) : null;
            if (own != null && countOf(own) <= MOST_OF_ACCESSOR && stores(type, own)) return Kind.CHANGE;
        }
        return method.desc.endsWith(")V") ? Kind.NONE : Kind.CHECK;
    }

    static boolean isOfField(MethodInsnNode call) {
        String receiver = Operands.receiver(call);
        return receiver != null && receiver.indexOf('.') > 0;
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

    /** Of a method that leaves it to something made for threads, in a field, to keep what it is given. */
    private static Kind ofKeeper(MethodNode method) {
        Kind kind = Kind.NONE;
        for (AbstractInsnNode at : method.instructions) {
            if (!(at instanceof MethodInsnNode call) || !isMadeForThreads(call)) continue;
            Kind done = byName(call);
            if (done == Kind.NONE || !isOfField(call)) continue;
            if (done == Kind.CHANGE) return done;
            if (!method.desc.endsWith(")V")) kind = done;
        }
        return kind;
    }

    private static boolean isMadeForThreads(MethodInsnNode call) {
        return call.owner.startsWith("java/util/concurrent/atomic/")
                || CONCURRENT.matcher(call.owner).matches()
                || SHARED.matcher(call.owner).matches();
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
        if (!isOfJdk || call.owner.startsWith("java/util/")) return true;
        return call.owner.equals("java/lang/StringBuffer") || call.owner.equals(HANDLE);
    }

    /** What a call does by its name alone. */
    static Kind byName(MethodInsnNode call) {
        if (call.owner.startsWith("java/util/concurrent/atomic/")) return kindOf(LibraryCalls.atomicKind(call.owner, call.name));
        return byName(call.name);
    }

    Kind of(MethodInsnNode call, String receiver, ClassLoader loader) {
        // Without an order, it is as good as the field itself.
        if (call.owner.equals(HANDLE))
            return call.name.equals("get") || call.name.equals("set") ? Kind.NONE : kindOf(LibraryCalls.handleKind(call));
        if (call.owner.startsWith("java/util/concurrent/atomic/")) return kindOf(LibraryCalls.atomicKind(call.owner, call.name));
        // What is in a local variable only is the method's own, unless it is made for threads.
        if (CONCURRENT.matcher(call.owner).matches() || SHARED.matcher(call.owner).matches() && receiver.indexOf('.') > 0)
            return byName(call.name);
        return ofProgram(call.owner, call.name + call.desc, receiver, loader);
    }

    private static Kind kindOf(LibraryCalls.AtomicKind kind) {
        return switch (kind) {
            case READ -> Kind.CHECK;
            case WRITE, UPDATE -> Kind.CHANGE;
            default -> Kind.NONE;
        };
    }

    private Kind ofProgram(String owner, String method, String receiver, ClassLoader loader) {
        boolean isLasting = receiver.indexOf('.') > 0 || receiver.equals(Operands.THIS);
        for (String name = owner; name != null && !name.startsWith("java/"); ) {
            Known type = knownOf(loader, name);
            Kind kind = type.methods.get(method);
            if (kind == null && isLasting) kind = type.undefined.get(method);
            if (kind != null) return kind;
            name = type.above;
        }
        return Kind.NONE;
    }

    private static Kind byName(String name) {
        if (CHECKS.matcher(name).matches()) return Kind.CHECK;
        return CHANGES.matcher(name).matches() ? Kind.CHANGE : Kind.NONE;
    }

    /** Null if there is none, or it cannot be known. */
    String superName(ClassLoader loader, String name) {
        return knownOf(loader, name).above;
    }

    /** Whether a method of a collection or of an atomic variable may be called so. */
    static boolean isNameOfStep(String name) {
        return byName(name) != Kind.NONE || name.contains("And") || name.equals("iterator") || name.equals("forEach");
    }

    private Known knownOf(ClassLoader loader, String name) {
        for (ClassLoader each = loader; each != null; each = each.getParent()) {
            Map<String, Known> classes = known.get(each);
            Known found = classes == null ? null : classes.get(name);
            if (found != null) return found;
        }
        // A loader of the program's own might be surprised to be asked.
        if (loader == null || !loader.getClass().getName().startsWith("jdk.internal.loader.")) return Known.NOTHING;
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
