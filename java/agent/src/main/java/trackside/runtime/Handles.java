package trackside.runtime;

import java.lang.constant.ClassDesc;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import jdk.internal.misc.Unsafe;

/**
 * Accesses by a VarHandle or a field updater. They are accesses to the field or the element that the handle stands for, and are
 * locked and numbered with those that the code makes by itself.
 */
public final class Handles {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** What a handle stands for. */
    private static final class Target {
        static final Target NONE = new Target(null, null);
        static final Target ELEMENTS = new Target(null, null);

        final FieldRef field;
        /** Of a field of objects: the class whose objects have it. Weak, as it may well keep the handle. */
        private final WeakReference<Class<?>> owner;

        Target(FieldRef field, Class<?> owner) {
            this.field = field;
            this.owner = owner == null ? null : new WeakReference<>(owner);
        }

        /** The call may be one that fails, because it was given something else. */
        boolean isIn(Object object) {
            if (owner == null) return true;
            Class<?> type = owner.get();
            return type != null && type.isInstance(object);
        }
    }

    private static final Map<Object, Target> targets = Collections.synchronizedMap(new WeakHashMap<>());

    private Handles() {}

    /** `object` and `index` are the first arguments of the call, if they can be that. */
    public static void reading(Object handle, Object object, int index, int site) {
        begin(handle, object, index, site, Records.VOLATILE_READ);
    }

    public static void looking(Object handle, Object object, int index, int site) {
        if (Config.complete || Config.everything) reading(handle, object, index, site);
    }

    public static void writing(Object handle, Object object, int index, int site) {
        begin(handle, object, index, site, Records.VOLATILE_WRITE);
    }

    public static void changing(Object handle, Object object, int index, int site) {
        begin(handle, object, index, site, Records.VOLATILE_CHANGE);
    }

    public static void updating(Object handle, Object object, int index, int site) {
        begin(handle, object, index, site, Records.VOLATILE_UPDATE);
    }

    public static void testing(Object handle, Object object, int index, int site) {
        begin(handle, object, index, site, Records.NOTHING);
    }

    /** After a comparison that may have set it: {@link Atomics#done} follows. */
    public static void tested(boolean isWritten) {
        ThreadLog thread = ThreadLogs.current();
        if (thread.atomic == null || thread.nested > 0 || thread.testNames == null) return;
        if (!isWritten && !Config.complete && !Config.everything) return;
        int operation = isWritten ? Records.VOLATILE_CHANGE : Records.VOLATILE_READ;
        Object object = thread.testObject;
        Atomics.touch(thread, thread.atomic, object, thread.testPlace, thread.testSite, operation, thread.testNames);
        thread.testNames = null;
    }

    private static void begin(Object handle, Object object, int index, int site, int operation) {
        if (handle == null) return;
        ThreadLog thread = Atomics.enter();
        if (thread == null) return;
        thread.busy = true;
        Target target = targetOf(handle);
        thread.busy = false;
        int place;
        Shadow shadow;
        Accesses.Named names;
        if (target == Target.ELEMENTS) {
            if (object == null || !object.getClass().isArray() || Config.coarseArrays) return;
            int length = java.lang.reflect.Array.getLength(object);
            if (index < 0 || index >= length) return;
            names = Elements.ELEMENT;
            Pieces pieces = WeakTable.entry(thread, object, Pieces.variables(length)).pieces;
            shadow = pieces.of(thread, index);
            if (shadow == null) return;
            place = pieces.place(index);
        } else {
            FieldRef field = target.field;
            if (field == null || !target.isIn(object)) return;
            if (field.status != FieldRef.WATCHED && !Probes.isWatched(thread, field, object)) return;
            if (field.isStatic) object = null;
            place = field.place;
            names = field;
            shadow = field.isStatic ? field.statics : field.shadow(thread, object);
        }
        Atomics.hold(thread, shadow, place);
        if (operation != Records.NOTHING) {
            Atomics.touch(thread, shadow, object, place, site, operation, names);
            return;
        }
        thread.testObject = object;
        thread.testPlace = place;
        thread.testSite = site;
        thread.testNames = names;
    }

    private static Target targetOf(Object handle) {
        Target target = targets.get(handle);
        if (target == null) {
            try {
                target = handle instanceof VarHandle variable ? ofVariable(variable) : ofUpdater(handle);
            } catch (Throwable unknown) {
                target = Target.NONE;
            }
            if (target == Target.NONE)
                Notes.once("handle", "Not watched: a VarHandle or a field updater that does not say which field it is for.");
            targets.put(handle, target);
        }
        return target;
    }

    private static Target ofVariable(VarHandle handle) {
        List<Class<?>> coordinates = handle.coordinateTypes();
        if (coordinates.size() == 2 && coordinates.get(0).isArray()) return Target.ELEMENTS;
        var described = handle.describeConstable().orElse(null);
        if (described == null || coordinates.size() > 1) return Target.NONE;
        String field = described.constantName();
        if (coordinates.size() == 1) return ofField(coordinates.get(0), field);
        ClassDesc owner = (ClassDesc) described.bootstrapArgs()[0];
        String name = owner.descriptorString();
        return new Target(new FieldRef(null, name.substring(1, name.length() - 1), field, true), null);
    }

    private static Target ofUpdater(Object updater) throws ReflectiveOperationException {
        boolean isUpdater = updater instanceof AtomicIntegerFieldUpdater
                || updater instanceof AtomicLongFieldUpdater
                || updater instanceof AtomicReferenceFieldUpdater;
        Class<?> type = updater.getClass();
        if (!isUpdater || type.getClassLoader() != null) return Target.NONE;
        Class<?> owner = (Class<?>) U.getReference(updater, U.objectFieldOffset(type, "tclass"));
        long offset = U.getLong(updater, U.objectFieldOffset(type, "offset"));
        for (var field : owner.getDeclaredFields())
            if (!Modifier.isStatic(field.getModifiers()) && U.objectFieldOffset(owner, field.getName()) == offset)
                return ofField(owner, field.getName());
        return Target.NONE;
    }

    private static Target ofField(Class<?> owner, String field) {
        return new Target(new FieldRef(owner.getClassLoader(), owner.getName().replace('.', '/'), field, false), owner);
    }
}
