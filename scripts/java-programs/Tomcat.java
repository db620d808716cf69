import javax.servlet.ServletContext;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardEngine;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.core.StandardService;

/** Bug 53498: attributes of an application are removed by several threads, each of which may be told to be the one that did. */
public class Tomcat {
    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        StandardEngine engine = new StandardEngine();
        engine.setService(new StandardService());
        StandardHost host = new StandardHost();
        host.setParent(engine);
        StandardContext application = new StandardContext();
        application.setParent(host);
        ServletContext context = application.getServletContext();
        for (int i = 0; i < rounds; i++) {
            String name = "user" + i;
            context.setAttribute(name, "somebody");
            Thread[] threads = new Thread[3];
            for (int t = 0; t < threads.length; t++) {
                threads[t] = new Thread(() -> context.removeAttribute(name));
                threads[t].start();
            }
            for (Thread each : threads) each.join();
        }
        System.out.println(context.getAttribute("user0"));
    }
}
