import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** A server under steady load: a thread for each request, at most eight at a time; every fourth is waited for. */
public class Server {
    static final class Request {
        final int number;
        int answer;

        Request(int number) {
            this.number = number;
        }

        /** A lock that lives as long as its request. */
        synchronized void answer(int value) {
            answer = value;
        }

        synchronized boolean isAnswered() {
            return answer > 0;
        }
    }

    private static final Map<String, Integer> sessions = new HashMap<>();
    private static final Semaphore room = new Semaphore(8);
    private static volatile Request latest;
    private static int served;

    static synchronized void serve(Request request) {
        served++;
        sessions.put("user" + request.number % 50, request.number);
        request.answer(sessions.size());
    }

    public static void main(String[] args) throws Exception {
        int requests = Integer.parseInt(args[0]);
        for (int i = 1; i <= requests; i++) {
            Request request = new Request(i);
            room.acquire();
            Thread thread = started(args[1].equals("virtual"), () -> {
                serve(request);
                latest = request;
                room.release();
            });
            if (i % 4 == 0) thread.join();
            request.isAnswered();
            if (i % 20_000 != 0) continue;
            System.gc();
            Runtime memory = Runtime.getRuntime();
            System.out.println(i + " requests: heap " + (memory.totalMemory() - memory.freeMemory()) / 1_000_000 + " MB");
        }
    }

    /** By reflection, as JDK 17 has no virtual threads. */
    private static Thread started(boolean isVirtual, Runnable body) throws Exception {
        if (isVirtual) return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
        Thread thread = new Thread(body);
        thread.start();
        return thread;
    }
}
