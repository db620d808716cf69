import java.io.InputStream;

/** Threads use a class whose name its loader leaves to the class file. */
public class Unnamed {
    static class Loader extends ClassLoader {
        Class<?> defined(byte[] file) {
            return defineClass(null, file, 0, file.length);
        }
    }

    public static class Counter implements Runnable {
        private int count;

        @Override
        public synchronized void run() {
            count++;
        }
    }

    public static void main(String[] args) throws Exception {
        try (InputStream file = Unnamed.class.getResourceAsStream("Unnamed$Counter.class")) {
            Class<?> type = new Loader().defined(file.readAllBytes());
            Runnable counter = (Runnable) type.getConstructor().newInstance();
            Thread[] threads = {new Thread(counter), new Thread(counter), new Thread(counter)};
            for (Thread each : threads) each.start();
            for (Thread each : threads) each.join();
        }
    }
}
