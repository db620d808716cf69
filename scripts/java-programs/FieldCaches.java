import java.util.concurrent.CountDownLatch;
import org.apache.lucene.analysis.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.FieldCache;
import org.apache.lucene.store.RAMDirectory;

/** Two threads need the values of a field at the same time: it should be read from the index once. */
public class FieldCaches {
    public static void main(String[] args) throws Exception {
        RAMDirectory directory = new RAMDirectory();
        IndexWriter writer = new IndexWriter(directory, new WhitespaceAnalyzer(), true);
        for (int i = 0; i < 100; i++) {
            Document document = new Document();
            document.add(new Field("n", "" + i, Field.Store.YES, Field.Index.UN_TOKENIZED));
            writer.addDocument(document);
        }
        writer.close();
        int rounds = Integer.parseInt(args[0]);
        for (int i = 0; i < rounds; i++) {
            IndexReader reader = IndexReader.open(directory);
            CountDownLatch start = new CountDownLatch(2);
            Runnable work = () -> {
                try {
                    start.countDown();
                    start.await();
                    FieldCache.DEFAULT.getInts(reader, "n");
                } catch (Exception broken) {
                    throw new AssertionError(broken);
                }
            };
            Thread[] threads = {new Thread(work), new Thread(work)};
            for (Thread thread : threads) thread.start();
            for (Thread thread : threads) thread.join();
        }
        System.out.println("read");
    }
}
