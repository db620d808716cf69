import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** Says at which port it is, and ends when nobody is there any more who could ask for anything. */
public class Server {
  /** What it calls itself by default is too old for drivers of today, but all that tests ask of it is there. */
  private static final MongoVersion VERSION =
      new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
          return List.of(5, 0, 0);
        }

        @Override
        public int getWireVersion() {
          return 13;
        }
      };

  public static void main(String[] arguments) throws Exception {
    MongoServer server = new MongoServer(new MemoryBackend().version(VERSION));
    System.out.println("port " + server.bind().getPort());
    while (System.in.read() >= 0) {}
    server.shutdownNow();
  }
}
