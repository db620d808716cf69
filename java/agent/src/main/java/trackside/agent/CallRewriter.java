package trackside.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import trackside.runtime.Site;

/**
 * Puts probes around calls that have a meaning for threads. What a call is made on is kept in a local variable behind those
 * of the method, which no frame knows: it is used before the next branch.
 */
final class CallRewriter {
    private static final String PROBES = "trackside/runtime/Probes";
    private static final String MONITORS = "trackside/runtime/Monitors";
    private static final String LOCKS = "trackside/runtime/Locks";
    private static final String QUEUES = "trackside/runtime/Queues";
    private static final String ATOMICS = "trackside/runtime/Atomics";

    private static final String HANDLES = "trackside/runtime/Handles";
    private static final String UPDATES = "trackside/runtime/Updates";
    private static final String MAPS = "trackside/runtime/Maps";
    private static final String COLLECTIONS = "trackside/runtime/CollectionCalls";
    private static final String STAMPS = "trackside/runtime/Stamps";
    static final String ATOMIC_VARIABLES = "java/util/concurrent/atomic/";

    private final MethodRewriter rewriter;
    private final MethodNode method;
    private final InsnList code;
    /** The local variables that the method has by itself. */
    private final int locals;
    private final boolean hasLock;

    CallRewriter(MethodRewriter rewriter, MethodNode method, boolean hasLock) {
        this.rewriter = rewriter;
        this.method = method;
        code = method.instructions;
        locals = method.maxLocals;
        this.hasLock = hasLock;
    }

    void rewrite(MethodInsnNode call) {
        // Between what is told of a wait and the wait itself there must be nothing.
        boolean isTold = rewriter.isCollection(call) && !LibraryCalls.isObjectWait(call);
        String remarks = isTold ? LibraryCalls.direction(call) + remark(call) : "";
        rewriteMeaning(call);
        if (isTold) telling(call, remarks);
    }

    /** Where the program calls a collection. */
    private void telling(MethodInsnNode call, String remarks) {
        int saved = locals + 1;
        for (Type argument : Type.getArgumentTypes(call.desc)) saved += argument.getSize();
        method.maxLocals = Math.max(method.maxLocals, saved + 1);
        InsnList before = new InsnList();
        boolean isVisit = call.owner.equals("java/util/Iterator") && call.name.equals("next");
        before.add(MethodRewriter.number(isVisit ? rewriter.sites(remarks, Site.VISITED) : rewriter.site(remarks)));
        before.add(MethodRewriter.call(COLLECTIONS, "calling", "(I)I"));
        before.add(new VarInsnNode(ISTORE, saved));
        code.insertBefore(call, before);
        InsnList after = new InsnList();
        after.add(new VarInsnNode(ILOAD, saved));
        after.add(MethodRewriter.call(COLLECTIONS, "called", "(I)V"));
        code.insert(call, after);
    }

    /**
     * That a sorted collection chooses a key, that nobody asks whether there was something to be removed, and that what comes next goes by
     * having added or removed it.
     */
    private String remark(MethodInsnNode call) {
        if (LibraryCalls.isChoosing(call)) return call.name.startsWith("poll") ? "" : ", chosen";
        boolean isUnasked = call.name.equals("remove") && call.owner.matches(".*(Map|Set)") && Claims.isUnused(call);
        return (isUnasked ? ", unasked" : "") + (Claims.isIn(code, call) ? ", claimed" : "");
    }

    private void rewriteMeaning(MethodInsnNode call) {
        if (call.name.equals("clone") && call.desc.startsWith("()L") && !call.owner.startsWith("[")) {
            cloned(call);
            return;
        }
        if (call.getOpcode() == INVOKESPECIAL) return;
        if (LibraryCalls.isObjectWait(call)) {
            around(call, telling(MONITORS, "waiting"), null);
            return;
        }
        if (call.owner.equals("java/lang/invoke/VarHandle")) {
            handle(call, LibraryCalls.handleKind(call));
            return;
        }
        if (hasLock && Looks.isFirstCheck(code, call)) {
            look(call);
            return;
        }
        if (LibraryCalls.isChoosing(call)) {
            choosing(call);
            return;
        }
        if (LibraryCalls.isCount(call)) {
            InsnList before = new InsnList();
            before.add(new VarInsnNode(ALOAD, locals));
            before.add(MethodRewriter.call(MAPS, "counting", "(Ljava/lang/Object;)V"));
            around(call, before, telling(MAPS, "counted"));
            return;
        }
        if (LibraryCalls.isMap(call)) {
            map(call);
            return;
        }
        if (LibraryCalls.isOfKeySet(call)) {
            InsnList before = new InsnList();
            before.add(new VarInsnNode(ALOAD, locals));
            before.add(new VarInsnNode(ALOAD, locals + 1));
            before.add(MethodRewriter.call(MAPS, "beginSet", "(Ljava/lang/Object;Ljava/lang/Object;)V"));
            boolean isRead = call.name.equals("contains");
            String remark = remark(call);
            String tried = remark.isEmpty() ? "triedSet" : "removedSet";
            around(call, before, isRead ? telling(MAPS, "readSet") : tellingResult(MAPS, tried, "Z", sitesOf(call)));
            return;
        }
        LibraryCalls.QueueKind queueKind = LibraryCalls.queueKind(call);
        if (queueKind != LibraryCalls.QueueKind.NONE) {
            queue(call, queueKind);
            return;
        }
        if (!call.owner.startsWith("java/util/concurrent/")) {
            String above = rewriter.atomicAbove(call);
            if (above != null && LibraryCalls.isOf(above, call)) atomic(call, above);
            return;
        }
        switch (LibraryCalls.meaningOf(call)) {
            case LOCK -> around(call, null, telling(LOCKS, "locked"));
            case TRY_LOCK -> aroundTest(call, LOCKS, "tried");
            case UNLOCK -> around(call, telling(LOCKS, "unlocking"), null);
            case ATOMIC -> atomic(call, call.owner);
            case STAMPED -> stamped(call);
            case NONE -> {}
        }
    }

    private void look(MethodInsnNode call) {
        code.insertBefore(call, MethodRewriter.call(PROBES, "beginLook", "()V"));
        code.insert(call, MethodRewriter.call(PROBES, "endLook", "()V"));
    }

    private InsnList telling(String owner, String name) {
        InsnList list = new InsnList();
        list.add(new VarInsnNode(ALOAD, locals));
        list.add(MethodRewriter.number(rewriter.site()));
        list.add(MethodRewriter.call(owner, name, "(Ljava/lang/Object;I)V"));
        return list;
    }

    /** Keeps what the call is made on in a local variable, and puts something before and after it. */
    private void around(MethodInsnNode call, InsnList before, InsnList after) {
        Type[] arguments = Type.getArgumentTypes(call.desc);
        InsnList list = new InsnList();
        int next = locals + 1;
        for (int i = arguments.length - 1; i >= 0; i--) {
            list.add(new VarInsnNode(arguments[i].getOpcode(ISTORE), next));
            next += arguments[i].getSize();
        }
        method.maxLocals = Math.max(method.maxLocals, next);
        list.add(new InsnNode(DUP));
        list.add(new VarInsnNode(ASTORE, locals));
        if (before != null) list.add(before);
        for (Type argument : arguments) {
            next -= argument.getSize();
            list.add(new VarInsnNode(argument.getOpcode(ILOAD), next));
        }
        code.insertBefore(call, list);
        if (after != null) code.insert(call, after);
    }

    /** A copy of an object must not have its shadow. */
    private void cloned(MethodInsnNode call) {
        InsnList after = new InsnList();
        after.add(new InsnNode(DUP));
        after.add(new VarInsnNode(ALOAD, locals));
        after.add(MethodRewriter.call(PROBES, "cloned", "(Ljava/lang/Object;Ljava/lang/Object;)V"));
        around(call, null, after);
    }

    private void aroundTest(MethodInsnNode call, String owner, String name) {
        around(call, null, tellingResult(owner, name, "Z"));
    }

    /** Atomic variables: the access itself stands between two probes, as that of a field does. */
    private void atomic(MethodInsnNode call, String owner) {
        LibraryCalls.AtomicKind kind = LibraryCalls.atomicKind(owner, call.name);
        if (owner.endsWith("FieldUpdater")) {
            handle(call, kind);
            return;
        }
        if (kind == LibraryCalls.AtomicKind.FUNCTION) replace(call, owner);
        if (kind == LibraryCalls.AtomicKind.NONE || kind == LibraryCalls.AtomicKind.FUNCTION) return;
        boolean isOfArray = owner.endsWith("Array");
        InsnList before = new InsnList();
        before.add(new VarInsnNode(ALOAD, locals));
        // The first argument is the index; arguments are kept last first, so it has the highest place.
        Type[] arguments = Type.getArgumentTypes(call.desc);
        int index = locals + 1;
        for (int i = arguments.length - 1; i > 0; i--) index += arguments[i].getSize();
        before.add(isOfArray ? new VarInsnNode(ILOAD, index) : new InsnNode(ICONST_M1));
        before.add(MethodRewriter.number(site(call, kind)));
        InsnList after = new InsnList();
        switch (kind) {
            case READ -> before.add(
                    MethodRewriter.call(ATOMICS, Looks.isForSwap(code, call) ? "looking" : "reading", "(Ljava/lang/Object;II)V"));
            case WRITE -> before.add(MethodRewriter.call(ATOMICS, "writing", "(Ljava/lang/Object;II)V"));
            case CHANGE -> before.add(MethodRewriter.call(ATOMICS, "changing", "(Ljava/lang/Object;II)V"));
            case UPDATE -> before.add(MethodRewriter.call(
                    ATOMICS,
                    Claims.isUnused(call) && !Afterwards.isAskedFor(call) ? "updating" : "changing",
                    "(Ljava/lang/Object;II)V"));
            case TEST -> {
                before.add(MethodRewriter.call(ATOMICS, "testing", "(Ljava/lang/Object;II)V"));
                after.add(new InsnNode(DUP));
                after.add(MethodRewriter.call(ATOMICS, "tested", "(Z)V"));
            }
            default -> {}
        }
        InsnList last = call.name.equals("accumulate") ? before : after;
        last.add(MethodRewriter.call(ATOMICS, "done", "()V"));
        around(call, before, after);
    }

    /** Who swaps, or gets what was there, knows better than what it may have read before. */
    private int site(MethodInsnNode call, LibraryCalls.AtomicKind kind) {
        String direction = LibraryCalls.direction(call);
        return rewriter.site(
                switch (kind) {
                    case TEST -> ", by compareAndSet";
                    case CHANGE, UPDATE ->
                        Claims.isUnused(call) || Comparisons.isHandedOn(call) ? direction : direction + ", in one step";
                    case READ -> Afterwards.isExact(call) ? ", exactly" : "";
                    default -> "";
                });
    }

    /** By a method of ours that is given the variable first and the place last. */
    private void replace(MethodInsnNode call, String owner) {
        String descriptor = call.desc.replaceFirst("\\(", "(L" + owner + ";").replaceFirst("\\)", "I)");
        code.insertBefore(call, MethodRewriter.number(site(call, LibraryCalls.AtomicKind.CHANGE)));
        code.set(call, MethodRewriter.call(UPDATES, call.name, descriptor));
    }

    /** Two places of one line: that of what is under a key, and that of how many keys there are. */
    private int sitesOf(MethodInsnNode call) {
        return rewriter.sites(remark(call), call.name.matches("remove|poll\\w*") ? ", one less" : ", one more");
    }

    /** Concurrent maps: what is under a key is read or changed between two probes. */
    private void map(MethodInsnNode call) {
        String how = LibraryCalls.mapEnd(call);
        if (how == null) return;
        if (how.equals("read") && Looks.isForSwap(code, call)) {
            look(call);
            return;
        }
        int arguments = Type.getArgumentTypes(call.desc).length;
        InsnList before = new InsnList();
        InsnList after = new InsnList();
        // Arguments are kept last first.
        int key = locals + arguments;
        boolean computes = how.startsWith("computed");
        before.add(new VarInsnNode(ALOAD, locals));
        before.add(new VarInsnNode(ALOAD, key));
        if (computes) before.add(MethodRewriter.call(MAPS, "computing", "(Ljava/lang/Object;Ljava/lang/Object;)V"));
        else {
            boolean hasValue = arguments > 1 && !how.equals("read");
            before.add(new VarInsnNode(ALOAD, hasValue ? locals + 1 : key));
            if (arguments == 3) before.add(new VarInsnNode(ALOAD, locals + 2));
            String objects = "Ljava/lang/Object;".repeat(arguments == 3 ? 4 : 3);
            before.add(MethodRewriter.call(MAPS, "begin", "(" + objects + ")V"));
        }
        boolean tests = call.desc.endsWith(")Z");
        boolean hasResult = computes || !how.equals("read") && !how.equals("put");
        if (hasResult) after.add(new InsnNode(DUP));
        after.add(new VarInsnNode(ALOAD, locals));
        if (computes) after.add(new VarInsnNode(ALOAD, key));
        after.add(MethodRewriter.number(sitesOf(call)));
        String first = !hasResult ? "(" : tests ? "(Z" : "(Ljava/lang/Object;";
        String second = computes ? "Ljava/lang/Object;Ljava/lang/Object;I)V" : "Ljava/lang/Object;I)V";
        after.add(MethodRewriter.call(MAPS, how, first + second));
        around(call, before, after);
    }

    /** A sorted map: what is told of is the key that is found. */
    private void choosing(MethodInsnNode call) {
        boolean takesOut = call.name.startsWith("poll");
        InsnList before = new InsnList();
        if (takesOut) {
            before.add(new VarInsnNode(ALOAD, locals));
            before.add(MethodRewriter.call(MAPS, "polling", "(Ljava/lang/Object;)V"));
        }
        around(call, before, tellingResult(MAPS, takesOut ? "polled" : "chosen", "Ljava/lang/Object;", sitesOf(call)));
    }

    private void queue(MethodInsnNode call, LibraryCalls.QueueKind kind) {
        InsnList before = new InsnList();
        String result = Type.getReturnType(call.desc).getSort() == Type.BOOLEAN ? "Z" : "Ljava/lang/Object;";
        switch (kind) {
            case OFFER -> {
                before.add(new VarInsnNode(ALOAD, locals));
                before.add(new VarInsnNode(ALOAD, locals + 1));
                before.add(MethodRewriter.number(rewriter.site()));
                before.add(MethodRewriter.call(QUEUES, "beginPut", "(Ljava/lang/Object;Ljava/lang/Object;I)V"));
                around(call, before, tellingResult(QUEUES, "put", "Z"));
            }
            case POLL, PEEK, EMPTY, COUNT -> {
                before.add(new VarInsnNode(ALOAD, locals));
                before.add(MethodRewriter.call(QUEUES, "begin", "(Ljava/lang/Object;)V"));
                String name = kind == LibraryCalls.QueueKind.POLL
                        ? "taken"
                        : kind == LibraryCalls.QueueKind.PEEK ? "seen" : "seenEmpty";
                boolean isCounted = kind == LibraryCalls.QueueKind.COUNT;
                around(call, before, isCounted ? telling(QUEUES, "counted") : tellingResult(QUEUES, name, result));
            }
            case PUT -> around(call, telling(QUEUES, "putting"), telling(QUEUES, "putAfter"));
            case TRY_TAKE -> around(call, null, tellingResult(QUEUES, "takenAfter", result));
            default -> around(call, null, telling(QUEUES, "takenAfter"));
        }
    }

    /** What the call gives is told first. */
    private InsnList tellingResult(String owner, String name, String result) {
        return tellingResult(owner, name, result, rewriter.site());
    }

    private InsnList tellingResult(String owner, String name, String result, int site) {
        InsnList list = new InsnList();
        list.add(new InsnNode(DUP));
        list.add(new VarInsnNode(ALOAD, locals));
        list.add(MethodRewriter.number(site));
        list.add(MethodRewriter.call(owner, name, "(" + result + "Ljava/lang/Object;I)V"));
        return list;
    }

    private void stamped(MethodInsnNode call) {
        InsnList before = new InsnList();
        InsnList after = new InsnList();
        int site = rewriter.site();
        if (call.name.startsWith("unlock") || call.name.startsWith("tryConvert")) {
            before.add(new VarInsnNode(ALOAD, locals));
            before.add(new VarInsnNode(LLOAD, locals + 1));
            before.add(MethodRewriter.number(site));
            String name = call.name.startsWith("unlock") ? "unlocking" : "converting";
            before.add(MethodRewriter.call(STAMPS, name, "(Ljava/lang/Object;JI)V"));
        }
        if (call.name.equals("validate")) before.add(telling(STAMPS, "validating"));
        if (call.name.equals("tryOptimisticRead")) {
            // What nobody is going to validate counts as it is.
            if (!Looks.isValidated(code)) return;
            after.add(MethodRewriter.call(STAMPS, "looking", "()V"));
        } else if (call.name.equals("validate") || call.desc.endsWith(")J")) {
            boolean isTest = call.name.equals("validate");
            after.add(new InsnNode(isTest ? DUP : DUP2));
            after.add(new VarInsnNode(ALOAD, locals));
            after.add(MethodRewriter.number(site));
            String name = isTest ? "validated" : call.name.startsWith("tryConvert") ? "converted" : "locked";
            after.add(MethodRewriter.call(STAMPS, name, (isTest ? "(Z" : "(J") + "Ljava/lang/Object;I)V"));
        }
        if (before.size() + after.size() > 0) around(call, before, after);
    }

    /** An access by a VarHandle or a field updater: its first arguments may say which object and which element. */
    private void handle(MethodInsnNode call, LibraryCalls.AtomicKind kind) {
        if (kind == LibraryCalls.AtomicKind.NONE) return;
        Type[] arguments = Type.getArgumentTypes(call.desc);
        boolean hasObject = arguments.length > 0 && arguments[0].getSort() >= Type.ARRAY;
        boolean hasIndex = hasObject && arguments.length > 1 && arguments[1].getSort() == Type.INT;
        int first = locals + 1;
        for (int i = arguments.length - 1; i > 0; i--) first += arguments[i].getSize();
        InsnList before = new InsnList();
        before.add(new VarInsnNode(ALOAD, locals));
        before.add(hasObject ? new VarInsnNode(ALOAD, first) : new InsnNode(ACONST_NULL));
        before.add(hasIndex ? new VarInsnNode(ILOAD, first - 1) : new InsnNode(ICONST_M1));
        before.add(MethodRewriter.number(site(call, kind)));
        InsnList after = new InsnList();
        String name =
                switch (kind) {
                    case READ -> Looks.isForSwap(code, call) ? "looking" : "reading";
                    case WRITE -> "writing";
                    case UPDATE -> Claims.isUnused(call) ? "updating" : "changing";
                    case TEST -> "testing";
                    default -> "changing";
                };
        before.add(MethodRewriter.call(HANDLES, name, "(Ljava/lang/Object;Ljava/lang/Object;II)V"));
        if (kind == LibraryCalls.AtomicKind.TEST) {
            after.add(new InsnNode(DUP));
            after.add(MethodRewriter.call(HANDLES, "tested", "(Z)V"));
        }
        // What calls a function of the program is told of at once.
        (kind == LibraryCalls.AtomicKind.FUNCTION ? before : after).add(MethodRewriter.call(ATOMICS, "done", "()V"));
        around(call, before, after);
    }
}
