import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.util.Random;

/**
 * In each round, a thread has an object or an array to itself and writes it again and again, until another thread reads it. The
 * values count up, and those with one remainder are written in one line: what was read tells which line wrote last, and
 * which one is going to be next.
 */
public class Owned {
    static final int WRITES = 20_000;
    static volatile Owned fresh;

    int field;
    final int[] array = new int[300];

    public static void main(String[] args) throws Exception {
        Random random = new Random(Long.parseLong(args[1]));
        try (DataOutputStream out = new DataOutputStream(new FileOutputStream(args[2]))) {
            for (int round = 0; round < Integer.parseInt(args[0]); round++) {
                boolean isField = round % 2 == 0;
                fresh = null;
                Thread owner = new Thread(isField ? Owned::writeField : Owned::writeArray, "owner");
                owner.start();
                Owned object;
                while ((object = fresh) == null) Thread.onSpinWait();
                for (int spins = random.nextInt(1 << random.nextInt(18)); spins > 0; spins--) Thread.onSpinWait();
                out.writeInt(isField ? object.field : object.array[299]); // read
                owner.join();
            }
        }
    }

    static void writeField() {
        Owned own = new Owned();
        fresh = own;
        for (int i = 4; i < WRITES; i += 4) {
            own.field = i; // 0
            own.field = i + 1; // 1
            own.field = i + 2; // 2
            own.field = i + 3; // 3
        }
    }

    static void writeArray() {
        Owned own = new Owned();
        fresh = own;
        int[] array = own.array;
        for (int i = 4; i < WRITES; i += 4) {
            array[299] = i; // 0
            array[299] = i + 1; // 1
            array[299] = i + 2; // 2
            array[299] = i + 3; // 3
        }
    }
}
