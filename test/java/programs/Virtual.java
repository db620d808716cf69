import java.util.concurrent.CountDownLatch;

/** Two threads write one field, in no order; virtual ones, where there are any. */
public class Virtual {
    int field;

    public static void main(String[] args) throws Exception {
        Virtual shared = new Virtual();
        CountDownLatch left = new CountDownLatch(2);
        Runnable work = () -> {
            for (int i = 0; i < 100; i++) shared.field = i;
            left.countDown();
        };
        for (int i = 0; i < 2; i++) start(work);
        left.await();
    }

    static void start(Runnable work) throws ReflectiveOperationException {
        if (Runtime.version().feature() < 21) new Thread(work).start();
        else Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
    }
}
