package trackside.runtime;

import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Begins and ends what is written about the program. */
public final class Recorder {
    private static Merger merger;
    private static boolean isFinished;

    private Recorder() {}

    /** To the socket of somebody who reads along; `name` is what to call the program. */
    public static void toSocket(String path, String name) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(path));
        String introduction = "{\"pid\":" + pid() + ",\"name\":\"" + escaped(name) + "\"}\n";
        ByteBuffer line = ByteBuffer.wrap(introduction.getBytes(StandardCharsets.UTF_8));
        while (line.hasRemaining()) channel.write(line);
        start(channel);
    }

    /** A process handle knows it everywhere, but starts threads and more to tell. */
    public static long pid() {
        try {
            return Long.parseLong(new File("/proc/self").getCanonicalFile().getName());
        } catch (IOException | NumberFormatException elsewhere) {
            return ProcessHandle.current().pid();
        }
    }

    public static void toFile(String path) throws IOException {
        start(FileChannel.open(
                Path.of(path),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING));
    }

    private static void start(WritableByteChannel channel) throws IOException {
        merger = new Merger(new TrkWriter(channel));
        merger.start();
    }

    /** From now on, what the program does is written. */
    public static void begin() {
        Probes.isOff = false;
    }

    /** Nothing of what the current thread does for us is the program's. */
    public static boolean pause() {
        ThreadLog thread = ThreadLogs.current();
        boolean wasBusy = thread.busy;
        thread.busy = true;
        return wasBusy;
    }

    public static void resume(boolean wasBusy) {
        ThreadLogs.current().busy = wasBusy;
    }

    static void finish() {
        synchronized (Recorder.class) {
            if (isFinished || merger == null) return;
            isFinished = true;
        }
        Probes.isOff = true;
        merger.finish();
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (char each : text.toCharArray()) {
            if (each == '"' || each == '\\') escaped.append('\\').append(each);
            else if (each < ' ') escaped.append(' ');
            else escaped.append(each);
        }
        return escaped.toString();
    }
}
