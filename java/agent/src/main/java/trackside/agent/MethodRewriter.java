package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.*;
import trackside.runtime.FieldRef;
import trackside.runtime.Labels;
import trackside.runtime.Site;
import trackside.runtime.Streams;

/**
 * Puts probes into one method. They are calls of static methods in a straight line, so that frames stay as they are; only
 * the handler at the end, by which a method is left with an exception, has a frame of its own.
 */
final class MethodRewriter {
    private static final String PROBES = "trackside/runtime/Probes";
    private static final String MONITORS = "trackside/runtime/Monitors";
    private static final String INITIALISATIONS = "trackside/runtime/Initialisations";
    /** Class files before this have no frames. */
    private static final int FIRST_WITH_FRAMES = 50;
    /** And before this cannot load a class as a constant. */
    private static final int FIRST_WITH_CLASS_CONSTANTS = 49;

    private final ClassRewriter type;
    private final MethodNode method;
    private final boolean isBlock;
    /** Whether it is another block after it has waited for others. */
    private final boolean isSplit;

    private final boolean isSynchronized;
    /** Most methods have none, and then no access in them is a look before one. */
    private final boolean hasLock;
    private final CallRewriter calls;
    private int line;

    MethodRewriter(ClassRewriter type, MethodNode method, boolean isBlock, boolean isSplit) {
        this.type = type;
        this.method = method;
        this.isBlock = isBlock;
        this.isSplit = isSplit;
        isSynchronized = (method.access & ACC_SYNCHRONIZED) != 0;
        hasLock = Looks.hasLock(method.instructions);
        calls = new CallRewriter(this, method, hasLock);
    }

    void rewrite() {
        InsnList code = method.instructions;
        AbstractInsnNode[] all = code.toArray();
        int start = method.name.equals("<init>") ? firstAfterSuper(all) : 0;
        // A constructor that never calls another one is not run to its end.
        if (start < 0) return;
        LabelNode body = new LabelNode();
        for (int i = 0; i < all.length; i++) {
            if (all[i] instanceof LineNumberNode number) line = number.line;
            if (i < start) continue;
            instruction(code, all[i]);
        }
        if (isBlock || isSynchronized) enclose(code, start == 0 ? null : all[start - 1], body);
    }

    /** The instruction after the call of the other constructor. */
    private static int firstAfterSuper(AbstractInsnNode[] all) {
        int created = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i].getOpcode() == NEW) created++;
            if (all[i] instanceof MethodInsnNode call && call.getOpcode() == INVOKESPECIAL && call.name.equals("<init>")) {
                if (created == 0) return i + 1;
                created--;
            }
        }
        return -1;
    }

    private void instruction(InsnList code, AbstractInsnNode at) {
        int opcode = at.getOpcode();
        switch (opcode) {
            case GETFIELD, PUTFIELD -> instanceField(code, (FieldInsnNode) at);
            case GETSTATIC, PUTSTATIC -> staticField(code, (FieldInsnNode) at);
            case IALOAD, LALOAD, FALOAD, DALOAD, AALOAD, BALOAD, CALOAD, SALOAD -> {
                if (!type.watchesArrays()) return;
                code.insertBefore(at, new InsnNode(DUP2));
                code.insertBefore(at, number(site()));
                code.insertBefore(at, call(PROBES, "readElement", "(Ljava/lang/Object;II)V"));
                code.insert(at, done());
            }
            case IASTORE, FASTORE, AASTORE, BASTORE, CASTORE, SASTORE -> {
                if (!type.watchesArrays() || type.isMeasured() && Coverage.isProbe(at)) return;
                code.insertBefore(at, new InsnNode(DUP_X2));
                code.insertBefore(at, new InsnNode(POP));
                code.insertBefore(at, new InsnNode(DUP2_X1));
                code.insertBefore(at, number(site()));
                code.insertBefore(at, call(PROBES, "writeElement", "(Ljava/lang/Object;II)V"));
                code.insert(at, done());
            }
            case LASTORE, DASTORE -> {
                if (!type.watchesArrays()) return;
                code.insertBefore(at, new InsnNode(DUP2_X2));
                code.insertBefore(at, new InsnNode(POP2));
                code.insertBefore(at, new InsnNode(DUP2_X2));
                code.insertBefore(at, number(site()));
                code.insertBefore(at, call(PROBES, "writeElement", "(Ljava/lang/Object;II)V"));
                code.insert(at, done());
            }
            case MONITORENTER -> {
                InsnList after = new InsnList();
                provoke(code, at);
                code.insertBefore(at, new InsnNode(DUP));
                after.add(number(site()));
                after.add(call(MONITORS, "entered", "(Ljava/lang/Object;I)V"));
                code.insert(at, after);
                if (type.options.synchronizedBlocks) code.insertBefore(at, begin(label() + ":" + line));
            }
            case MONITOREXIT -> {
                code.insertBefore(at, new InsnNode(DUP));
                code.insertBefore(at, number(site()));
                code.insertBefore(at, call(MONITORS, "leaving", "(Ljava/lang/Object;I)V"));
                if (type.options.synchronizedBlocks) code.insertBefore(at, call(PROBES, "end", "()V"));
            }
            case INVOKESTATIC -> {
                provoke(code, at);
                setStream(code, (MethodInsnNode) at);
                if (LibraryCalls.isYield((MethodInsnNode) at)) ((MethodInsnNode) at).owner = "trackside/runtime/Spins";
                give(code, (MethodInsnNode) at);
            }
            case INVOKEVIRTUAL, INVOKEINTERFACE, INVOKESPECIAL -> {
                MethodInsnNode call = (MethodInsnNode) at;
                if (!call.name.equals("<init>")) provoke(code, at);
                calls.rewrite(call);
                give(code, call);
                if (isSplit && LibraryCalls.isWaiting(call)) {
                    code.insertBefore(call, paused());
                    code.insert(call, paused());
                }
            }
            case IRETURN, LRETURN, FRETURN, DRETURN, ARETURN, RETURN -> {
                if (method.name.equals("<clinit>")) {
                    code.insertBefore(at, ownClass());
                    code.insertBefore(at, call(INITIALISATIONS, "done", "(Ljava/lang/Class;)V"));
                }
                if (isBlock || isSynchronized) code.insertBefore(at, leave());
            }
            default -> {}
        }
    }

    private InsnList paused() {
        InsnList list = new InsnList();
        list.add(number(site()));
        list.add(call(PROBES, "paused", "(I)V"));
        return list;
    }

    /** Blocks further up wait for what a method gives to others if it waits for them itself; of blocks, that is known by their labels. */
    private void give(InsnList code, MethodInsnNode call) {
        if (isBlock || !LibraryCalls.givesWork(call) || !Blocks.waitsForOthers(method)) return;
        code.insertBefore(call, call("trackside/runtime/Tasks", "giving", "()V"));
        code.insert(call, call("trackside/runtime/Tasks", "given", "()V"));
    }

    /** A place at which others may come in. */
    private void provoke(InsnList code, AbstractInsnNode at) {
        if (type.options.provokes == 0 || type.isOfJdk()) return;
        code.insertBefore(at, number(site()));
        boolean isOfCollection = at instanceof MethodInsnNode call && isCollection(call);
        String probe = isOfCollection ? "beforeCollection" : "between";
        code.insertBefore(at, call("trackside/runtime/Provocation", probe, "(I)V"));
    }

    private void instanceField(InsnList code, FieldInsnNode at) {
        if (!type.isWatched(at, false)) return;
        int site = site(type.field(at, false));
        if (at.getOpcode() == GETFIELD) {
            code.insertBefore(at, new InsnNode(DUP));
            code.insertBefore(at, number(site));
            String probe = hasLock && Looks.isFirstCheck(code, at) ? "lookAtField" : "readField";
            code.insertBefore(at, call(PROBES, probe, "(Ljava/lang/Object;I)V"));
        } else {
            if (Type.getType(at.desc).getSize() == 1) {
                code.insertBefore(at, new InsnNode(DUP2));
                code.insertBefore(at, new InsnNode(POP));
            } else {
                code.insertBefore(at, new InsnNode(DUP2_X1));
                code.insertBefore(at, new InsnNode(POP2));
                code.insertBefore(at, new InsnNode(DUP_X2));
            }
            code.insertBefore(at, number(site));
            code.insertBefore(at, call(PROBES, "writeField", "(Ljava/lang/Object;I)V"));
        }
        code.insert(at, done());
    }

    private void staticField(InsnList code, FieldInsnNode at) {
        if (at.owner.equals("java/lang/System") && Streams.number(at.name) >= 0) {
            code.insertBefore(at, stream("reading", at.name));
            code.insert(at, done());
            return;
        }
        if (!type.isWatched(at, true)) return;
        int site = site(type.field(at, true));
        boolean isLook = hasLock && at.getOpcode() == GETSTATIC && Looks.isFirstCheck(code, at);
        if (!at.owner.equals(type.node.name)) {
            // The class may be initialised by this, which must not happen while the shadow is locked.
            code.insertBefore(at, new FieldInsnNode(GETSTATIC, at.owner, at.name, at.desc));
            code.insertBefore(at, new InsnNode(Type.getType(at.desc).getSize() == 1 ? POP : POP2));
        }
        code.insertBefore(at, number(site));
        String probe = at.getOpcode() == PUTSTATIC ? "writeStatic" : isLook ? "lookAtStatic" : "readStatic";
        code.insertBefore(at, call(PROBES, probe, "(I)V"));
        code.insert(at, done());
    }

    private InsnList stream(String probe, String field) {
        InsnList list = new InsnList();
        list.add(number(Streams.number(field)));
        list.add(number(site()));
        list.add(call("trackside/runtime/Streams", probe, "(II)V"));
        return list;
    }

    /** `System.setIn` and the like. */
    private void setStream(InsnList code, MethodInsnNode at) {
        if (!at.owner.equals("java/lang/System") || !at.name.matches("set(In|Out|Err)")) return;
        String field = at.name.substring(3).toLowerCase(java.util.Locale.ROOT);
        code.insertBefore(at, stream("writing", field));
        code.insert(at, done());
    }

    /** Entry, and the handler for exceptions. */
    private void enclose(InsnList code, AbstractInsnNode after, LabelNode body) {
        InsnList entry = new InsnList();
        line = firstLine();
        if (isBlock) {
            if (!isSplit && Blocks.waitsForOthers(method)) Labels.setWaits(Labels.number(label()));
            entry.add(begin(label()));
        }
        if (isSynchronized) {
            if ((method.access & ACC_STATIC) == 0) entry.add(new VarInsnNode(ALOAD, 0));
            else entry.add(ownClass());
            entry.add(number(site()));
            entry.add(call(MONITORS, "enteredMethod", "(Ljava/lang/Object;I)V"));
        }
        entry.add(body);
        if (after == null) code.insert(entry);
        else code.insert(after, entry);
        LabelNode handler = new LabelNode();
        code.add(handler);
        if ((type.node.version & 0xffff) >= FIRST_WITH_FRAMES)
            code.add(new FrameNode(F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
        code.add(leave());
        code.add(new InsnNode(ATHROW));
        method.tryCatchBlocks.add(new TryCatchBlockNode(body, handler, handler, null));
    }

    private InsnList ownClass() {
        InsnList list = new InsnList();
        if ((type.node.version & 0xffff) >= FIRST_WITH_CLASS_CONSTANTS) {
            list.add(new LdcInsnNode(Type.getObjectType(type.node.name)));
        } else {
            list.add(new LdcInsnNode(type.node.name.replace('/', '.')));
            list.add(new MethodInsnNode(
                    INVOKESTATIC, "java/lang/Class", "forName", "(Ljava/lang/String;)Ljava/lang/Class;", false));
        }
        return list;
    }

    private InsnList leave() {
        InsnList list = new InsnList();
        if (isSynchronized) {
            list.add(number(site()));
            list.add(call(MONITORS, "leavingMethod", "(I)V"));
        }
        if (isBlock) list.add(call(PROBES, "end", "()V"));
        return list;
    }

    private InsnList begin(String label) {
        InsnList list = new InsnList();
        list.add(number(Labels.number(label)));
        list.add(number(site()));
        list.add(call(PROBES, "begin", "(II)V"));
        return list;
    }

    private String label() {
        return Blocks.label(type.node, method);
    }

    private int firstLine() {
        for (AbstractInsnNode at : method.instructions) if (at instanceof LineNumberNode number) return number.line;
        return 0;
    }

    /** Whether objects of a class may be collections of the JDK, or extend them. */
    boolean isCollection(MethodInsnNode call) {
        String owner = call.owner;
        if (type.isOfJdk()) return false;
        if (owner.equals("java/lang/StringBuffer") || owner.equals("java/lang/Iterable")) return true;
        if (owner.equals("java/lang/StringBuilder")) return Steps.isOfField(call);
        if (owner.startsWith("java/util/concurrent/CopyOnWrite")) return true;
        if (owner.startsWith("java/util/")) return owner.indexOf('/', 10) < 0;
        return !owner.startsWith("java/") && type.ancestorIn(owner, "java/util/", call.name) != null;
    }

    /** The atomic variable of the JDK that a class of the program extends; null if it does not. */
    String atomicAbove(MethodInsnNode call) {
        // To look for classes above those of the JDK would be to read its files.
        if (call.owner.startsWith("java/")) return null;
        return type.ancestorIn(call.owner, CallRewriter.ATOMIC_VARIABLES, call.name);
    }

    /** The number of a place in this line. */
    int site() {
        return site((FieldRef) null);
    }

    int site(FieldRef field) {
        return Site.add(type.location(line, method), field, type.isOfJdk());
    }

    /** The same; `how` it is changed there is told with the place. */
    int site(String how) {
        String location = type.location(line, method);
        return Site.add(location == null ? null : location + how, null, type.isOfJdk());
    }

    /** Two places: the number of the second one is {@link Site#NEXT} more. */
    int sites(String how, String other) {
        synchronized (Site.class) {
            int first = site(how);
            site(other);
            return first;
        }
    }

    static AbstractInsnNode number(int value) {
        if (value >= -1 && value <= 5) return new InsnNode(ICONST_0 + value);
        if (value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE) return new IntInsnNode(BIPUSH, value);
        if (value >= Short.MIN_VALUE && value <= Short.MAX_VALUE) return new IntInsnNode(SIPUSH, value);
        return new LdcInsnNode(value);
    }

    static MethodInsnNode call(String owner, String name, String descriptor) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
    }

    static MethodInsnNode done() {
        return call(PROBES, "done", "()V");
    }
}
