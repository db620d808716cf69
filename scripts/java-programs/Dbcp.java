import java.lang.reflect.Proxy;
import javax.sql.ConnectionPoolDataSource;

/** DBCP-369: SharedPoolDataSource registers itself in a map that is not synchronized. */
public class Dbcp {
    public static void main(String[] args) throws Exception {
        Class<?> type = Class.forName(args[0]);
        int rounds = Integer.parseInt(args[1]);
        ConnectionPoolDataSource pool = (ConnectionPoolDataSource) Proxy.newProxyInstance(
                Dbcp.class.getClassLoader(), new Class<?>[] {ConnectionPoolDataSource.class}, (proxy, method, values) -> null);
        Runnable body = () -> {
            try {
                for (int i = 0; i < rounds; i++) {
                    Object source = type.getDeclaredConstructor().newInstance();
                    type.getMethod("setConnectionPoolDataSource", ConnectionPoolDataSource.class).invoke(source, pool);
                    type.getMethod("close").invoke(source);
                }
            } catch (ReflectiveOperationException wrong) {
                System.out.println("failed: " + wrong.getCause());
            }
        };
        Thread other = new Thread(body, "other");
        other.start();
        body.run();
        other.join();
        System.out.println("done");
    }
}
