package trackside.runtime;

import java.nio.charset.StandardCharsets;

/** Bytes put one after another. */
final class Bytes {
    byte[] bytes = new byte[1 << 16];
    int length;

    void u8(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
    }

    void u32(int value) {
        reserve(4);
        for (int shift = 0; shift < 32; shift += 8) bytes[length++] = (byte) (value >>> shift);
    }

    void u32At(int at, int value) {
        for (int i = 0; i < 4; i++) bytes[at + i] = (byte) (value >>> 8 * i);
    }

    void u64(long value) {
        u32((int) value);
        u32((int) (value >>> 32));
    }

    void varint(int value) {
        reserve(5);
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            bytes[length++] = (byte) (rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    void name(String text) {
        byte[] name = text.getBytes(StandardCharsets.UTF_8);
        varint(name.length);
        reserve(name.length);
        System.arraycopy(name, 0, bytes, length, name.length);
        length += name.length;
    }

    /** The lowest `width` bytes of each of the values, plane by plane. */
    void planes(int[] values, int count, int width) {
        reserve(width * count);
        for (int plane = 0; plane < width; plane++) {
            int shift = 8 * plane;
            for (int i = 0; i < count; i++) bytes[length + i] = (byte) (values[i] >>> shift);
            length += count;
        }
    }

    private void reserve(int more) {
        if (length + more > bytes.length)
            bytes = java.util.Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
}
