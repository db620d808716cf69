import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.pool.BasePoolableObjectFactory;
import org.apache.commons.pool.impl.GenericObjectPool;

/** Four threads borrow objects from a pool of three and give them back. */
public class Pool {
    static final class Connection {
        int uses;
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        AtomicInteger made = new AtomicInteger();
        GenericObjectPool pool = new GenericObjectPool(new BasePoolableObjectFactory() {
            @Override
            public Object makeObject() {
                made.incrementAndGet();
                return new Connection();
            }
        });
        pool.setMaxActive(3);
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> use(pool, rounds), "client " + i);
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        System.out.println(pool.getNumActive() + " in use, " + (made.get() <= 3 ? "never more than three" : "too many"));
    }

    private static void use(GenericObjectPool pool, int rounds) {
        try {
            for (int i = 0; i < rounds; i++) {
                Connection connection = (Connection) pool.borrowObject();
                connection.uses++;
                pool.returnObject(connection);
            }
        } catch (Exception wrong) {
            throw new IllegalStateException(wrong);
        }
    }
}
