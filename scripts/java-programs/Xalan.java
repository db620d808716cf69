import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.*;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** Threads transform a document with one compiled stylesheet; prints a sum over what came out. */
public class Xalan {
    static final String SHEET = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
            + "<xsl:template match='/'><out><xsl:for-each select='//item[@n &gt; 3]'><xsl:sort select='@n' data-type='number' order='descending'/>"
            + "<i><xsl:value-of select='concat(@n, \": \", text())'/></i></xsl:for-each></out></xsl:template></xsl:stylesheet>";

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        StringBuilder document = new StringBuilder("<all>");
        for (int i = 0; i < 60; i++) document.append("<item n='").append(i % 13).append("'>text ").append(i).append("</item>");
        document.append("</all>");
        TransformerFactory factory = TransformerFactory.newInstance("org.apache.xalan.processor.TransformerFactoryImpl", null);
        Templates templates = factory.newTemplates(new StreamSource(new StringReader(SHEET)));
        int[] sums = new int[3];
        Thread[] threads = new Thread[sums.length];
        for (int t = 0; t < threads.length; t++) {
            int me = t;
            threads[t] = new Thread(() -> sums[me] = transform(templates, document.toString(), rounds), "worker " + t);
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        System.out.println(sums[0] + " " + sums[1] + " " + sums[2]);
    }

    static int transform(Templates templates, String document, int rounds) {
        try {
            int sum = 0;
            for (int i = 0; i < rounds; i++) {
                StringWriter out = new StringWriter();
                templates.newTransformer()
                        .transform(new StreamSource(new StringReader(document)), new StreamResult(out));
                sum += out.toString().hashCode();
            }
            return sum;
        } catch (TransformerException wrong) {
            throw new RuntimeException(wrong);
        }
    }
}
