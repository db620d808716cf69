package trackside.runtime;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Begins and ends what is written about the program. */
public final class Recorder {
    private static Merger merger;
    private static boolean isFinished;

    private Recorder() {}

    /** To somebody who reads along, at a socket or at the other end of a descriptor that we have from them; `name` is what to call the program. */
    public static void toReader(String path, int parent, String name) throws IOException {
        OutputStream stream = Inheritance.isFrom(parent) ? Inheritance.stream() : Channels.newOutputStream(connected(path));
        String introduction = "{\"pid\":" + pid() + ",\"name\":\"" + escaped(name) + "\"}\n";
        stream.write(introduction.getBytes(StandardCharsets.UTF_8));
        start(stream);
    }

    private static SocketChannel connected(String path) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(path));
        return channel;
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
        start(new FileOutputStream(path));
    }

    private static void start(OutputStream stream) throws IOException {
        merger = new Merger(new TrkWriter(stream));
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
