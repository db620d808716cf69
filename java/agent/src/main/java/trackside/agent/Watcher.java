package trackside.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import trackside.runtime.ClassInfo;
import trackside.runtime.Internals;
import trackside.runtime.Notes;
import trackside.runtime.Recorder;

/** Decides about each class that is loaded, and has it rewritten. */
final class Watcher implements ClassFileTransformer {
    private final Options options;
    private final Steps steps = new Steps();
    private final Blocks blocks;
    private final Selection selection;

    Watcher(Options options) {
        this.options = options;
        blocks = new Blocks(options, steps);
        selection = new Selection(options);
        Internals.watched = selection;
    }

    /** What the JVM has loaded before us, as far as it is to be watched: classes of the JDK. */
    void retransformLoaded(Instrumentation instrumentation, Set<Class<?>> hooked) throws Exception {
        Set<Class<?>> loaded = new LinkedHashSet<>(hooked);
        selection.load(loaded);
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            String name = type.getName().replace('.', '/');
            boolean isConcerned = JdkHooks.has(name) || selection.isWatchedOfJdk(name);
            if (isConcerned && !type.isArray() && instrumentation.isModifiableClass(type)) loaded.add(type);
        }
        try {
            // At once, as the JVM stops for each time.
            instrumentation.retransformClasses(loaded.toArray(new Class<?>[0]));
            return;
        } catch (Throwable refused) {
            // A class that cannot be changed must not keep the others from it.
        }
        for (Class<?> type : loaded) {
            try {
                instrumentation.retransformClasses(type);
            } catch (Throwable refused) {
                Notes.say("Not watched: " + type.getName() + ", as the JVM refuses to change it: " + refused);
            }
        }
    }

    @Override
    public byte[] transform(
            Module module, ClassLoader loader, String given, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (given != null && given.startsWith("trackside/")) return null;
        boolean wasBusy = Recorder.pause();
        String name = given;
        try {
            // A loader may leave it to the class file to name the class.
            if (name == null) name = new ClassReader(bytes).getClassName();
            return rewritten(loader, name, redefined, bytes);
        } catch (Throwable broken) {
            String shown = name == null ? "a class without a name" : name.replace('/', '.');
            Notes.say("Not watched: " + shown + ", as its class file cannot be rewritten: " + broken);
            if (System.getenv("TRACKSIDE_DEBUG") != null) broken.printStackTrace();
            return null;
        } finally {
            Recorder.resume(wasBusy);
        }
    }

    private byte[] rewritten(ClassLoader loader, String name, Class<?> redefined, byte[] bytes) {
        boolean isOfJdk = Selection.isOfJdk(loader);
        boolean isHooked = isOfJdk && JdkHooks.has(name);
        boolean isWatched = isOfJdk ? selection.isWatchedOfJdk(name) : selection.isWatched(name);
        if (!isWatched && isOfJdk) return isHooked ? hooked(loader, bytes) : null;
        Set<String> leftOut = new HashSet<>();
        for (; ; ) {
            ClassReader reader = new ClassReader(bytes);
            ClassNode node = new ClassNode();
            reader.accept(node, ClassReader.EXPAND_FRAMES);
            ClassRewriter rewriter = new ClassRewriter(options, node, loader, steps);
            if ((node.access & Opcodes.ACC_MODULE) != 0) return null;
            if (!isOfJdk && isWatched) steps.add(loader, node);
            // First the hooks, so that they are inside of what is synchronized.
            if (isHooked) JdkHooks.apply(node);
            if (isWatched) rewriter.rewriteMethods(blocks, leftOut);
            if (leftOut.isEmpty()) {
                boolean adds = !isOfJdk && isWatched && needsPlace(node, loader, redefined);
                register(node, loader, adds);
                if (adds) rewriter.addShadow();
            } else if (ClassInfo.isInjected(loader, name)) rewriter.addShadow();
            if (!isWatched) return null;
            try {
                return rewriter.bytes(reader);
            } catch (MethodTooLargeException large) {
                String method = large.getMethodName() + large.getDescriptor();
                if (!leftOut.add(method)) throw large;
                Notes.say("Not watched: " + name.replace('/', '.') + "." + large.getMethodName()
                        + ", as it would become larger than a method may be.");
            }
        }
    }

    private static byte[] hooked(ClassLoader loader, byte[] bytes) {
        ClassNode node = new ClassNode();
        byte[] hooked = JdkHooks.applied(new ClassReader(bytes), node);
        register(node, loader, false);
        return hooked;
    }

    /** Objects need a place for a shadow only once in their line of classes. */
    private static boolean needsPlace(ClassNode node, ClassLoader loader, Class<?> redefined) {
        if (redefined != null) return ClassInfo.isInjected(loader, node.name);
        boolean hasObjects = (node.access & Opcodes.ACC_INTERFACE) == 0 && !"java/lang/Record".equals(node.superName);
        return hasObjects && !ClassInfo.hasPlace(loader, node.superName);
    }

    private static void register(ClassNode node, ClassLoader loader, boolean isInjected) {
        ClassInfo info = new ClassInfo(node.name, node.superName, loader, isInjected);
        for (FieldNode field : node.fields) info.addField(field.name, field.access);
        info.register();
    }
}
