import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Starts a program in a JVM of its own, with the options that it has itself, as build tools do. */
public class Again {
    public static void main(String[] args) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().get());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), args[0]));
        System.exit(new ProcessBuilder(command).inheritIO().start().waitFor());
    }
}
