package trackside.agent;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import jdk.internal.misc.VM;

/**
 * A file of our jar. The JVM has put that onto the path of its own classes; to ask a class for its resource would make it load all that
 * it takes to open a URL, which is a good part of what it takes to start.
 */
final class Resource implements AutoCloseable {
    private final ZipFile jar;
    private final InputStream stream;

    private Resource(ZipFile jar, InputStream stream) {
        this.jar = jar;
        this.stream = stream;
    }

    static Resource open(String name) throws IOException {
        String appended = VM.getSavedProperty("jdk.boot.class.path.append");
        String[] path = appended == null ? new String[0] : appended.split(File.pathSeparator);
        // It comes last, unless another agent came after us.
        for (int i = path.length - 1; i >= 0; i--) {
            if (!path[i].endsWith(".jar")) continue;
            Resource found = find(path[i], name);
            if (found != null) return found;
        }
        InputStream stream = ClassLoader.getSystemResourceAsStream(name);
        if (stream == null) throw new FileNotFoundException(name);
        return new Resource(null, stream);
    }

    private static Resource find(String path, String name) {
        try {
            ZipFile jar = new ZipFile(path);
            ZipEntry entry = jar.getEntry(name);
            if (entry != null) return new Resource(jar, jar.getInputStream(entry));
            jar.close();
        } catch (IOException unreadable) {
            // Then it is not ours.
        }
        return null;
    }

    InputStream stream() {
        return stream;
    }

    @Override
    public void close() throws IOException {
        stream.close();
        if (jar != null) jar.close();
    }
}
