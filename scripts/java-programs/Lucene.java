import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.*;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Two threads index documents, then three search in them; prints how many hits there were. */
public class Lucene {
    static final String[] WORDS = "the quick brown fox jumps over a lazy dog while seven wizards box with joy".split(" ");

    public static void main(String[] args) throws Exception {
        int documents = Integer.parseInt(args[0]);
        ByteBuffersDirectory directory = new ByteBuffersDirectory();
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
            Thread[] threads = new Thread[2];
            for (int t = 0; t < threads.length; t++) {
                int me = t;
                threads[t] = new Thread(() -> index(writer, me, documents), "indexer " + t);
                threads[t].start();
            }
            for (Thread thread : threads) thread.join();
        }
        long[] hits = new long[3];
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            Thread[] threads = new Thread[hits.length];
            for (int t = 0; t < threads.length; t++) {
                int me = t;
                threads[t] = new Thread(() -> hits[me] = search(searcher, documents), "searcher " + t);
                threads[t].start();
            }
            for (Thread thread : threads) thread.join();
        }
        System.out.println(hits[0] + " " + hits[1] + " " + hits[2]);
    }

    static void index(IndexWriter writer, int me, int documents) {
        try {
            for (int i = 0; i < documents; i++) {
                Document document = new Document();
                StringBuilder text = new StringBuilder();
                for (int w = 0; w < 12; w++) text.append(WORDS[(i * 7 + w * (me + 3)) % WORDS.length]).append(' ');
                document.add(new TextField("text", text.toString(), Field.Store.YES));
                writer.addDocument(document);
                if (i % 100 == 99) writer.commit();
            }
        } catch (Exception wrong) {
            throw new RuntimeException(wrong);
        }
    }

    static long search(IndexSearcher searcher, int documents) {
        try {
            long hits = 0;
            for (int i = 0; i < documents / 4; i++) {
                Query query = new QueryParser("text", new StandardAnalyzer())
                        .parse(WORDS[i % WORDS.length] + " AND " + WORDS[(i + 5) % WORDS.length]);
                hits += searcher.count(query);
            }
            return hits;
        } catch (Exception wrong) {
            throw new RuntimeException(wrong);
        }
    }
}
