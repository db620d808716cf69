package trackside.runtime;

import java.lang.reflect.Field;

/** Keeps from the program's reflection what was added to its classes. */
public final class Reflected {
    private Reflected() {}

    public static Field[] withoutShadows(Field[] fields) {
        for (int i = 0; i < fields.length; i++) {
            if (!fields[i].getName().equals(FieldRef.SHADOW)) continue;
            Field[] others = new Field[fields.length - 1];
            System.arraycopy(fields, 0, others, 0, i);
            System.arraycopy(fields, i + 1, others, i, others.length - i);
            return others;
        }
        return fields;
    }
}
