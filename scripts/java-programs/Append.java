/** Appends a buffer to another one while a third party shortens it: between its length and its characters, it may change. */
public class Append {
    public static void main(String[] args) throws Exception {
        StringBuffer source = new StringBuffer("abcdefgh");
        Thread other = new Thread(() -> {
            for (int i = 0; i < Integer.parseInt(args[0]); i++) {
                source.setLength(0);
                source.append("abcdefgh");
            }
        });
        other.start();
        while (other.isAlive()) {
            try {
                new StringBuffer().append(source);
            } catch (IndexOutOfBoundsException theBug) {
                // As published.
            }
        }
        System.out.println("done");
    }
}
