package trackside.runtime;

/** Which elements of a large array have been touched: a place for each, in the order of their appearance. */
final class ElementIndex {
    private int[] slots = new int[64];
    int[] elements = new int[16];
    int count;
    /** Of a map: whether the program has asked how many keys there are. */
    boolean isCounted;

    /** With a first place that belongs to no element. */
    static ElementIndex withReserved() {
        ElementIndex index = new ElementIndex();
        index.count = 1;
        return index;
    }

    /** The place of an element; a new one if it has none, or -1 if there are so many already. */
    int place(int element, int most) {
        int mask = slots.length - 1;
        for (int slot = (element * 0x9e3779b1) >>> 7 & mask; ; slot = slot + 1 & mask) {
            int entry = slots[slot];
            if (entry == 0) return count >= most ? -1 : add(element, slot);
            if (elements[entry - 1] == element) return entry - 1;
        }
    }

    private int add(int element, int slot) {
        if (count == elements.length) elements = java.util.Arrays.copyOf(elements, 2 * count);
        elements[count++] = element;
        slots[slot] = count;
        if (2 * count > slots.length) rehash();
        return count - 1;
    }

    private void rehash() {
        slots = new int[2 * slots.length];
        int mask = slots.length - 1;
        for (int i = 0; i < count; i++) {
            int slot = (elements[i] * 0x9e3779b1) >>> 7 & mask;
            while (slots[slot] != 0) slot = slot + 1 & mask;
            slots[slot] = i + 1;
        }
    }
}
