import org.apache.derby.iapi.services.io.FormatableBitSet;
import org.apache.derby.iapi.sql.dictionary.ColumnDescriptor;
import org.apache.derby.iapi.sql.dictionary.TableDescriptor;

/** Asks a table for its name while another thread says which of its columns are used, and takes it back. */
public class Derby {
    private static final int ROUNDS = 20_000;
    private static volatile int ready = -1;
    private static volatile int round = -1;

    public static void main(String[] args) throws Exception {
        TableDescriptor table = new TableDescriptor(null, "T", null, TableDescriptor.BASE_TABLE_TYPE, 'R');
        for (int i = 1; i <= 3; i++)
            table.getColumnDescriptorList().add(new ColumnDescriptor("C" + i, i, null, null, null, table, null, 0, 0, 0));
        Thread setter = new Thread(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                FormatableBitSet columns = new FormatableBitSet(4);
                columns.set(2);
                try {
                    table.setReferencedColumnMap(columns);
                    ready = i;
                    while (round < i) Thread.onSpinWait();
                    for (int spins = i % 400; spins > 0; spins--) Thread.onSpinWait();
                    table.setReferencedColumnMap(null);
                } catch (RuntimeException thereIsNoConnection) {
                    ready = i;
                }
            }
        });
        setter.start();
        for (int i = 0; i < ROUNDS; i++) {
            while (ready < i) Thread.onSpinWait();
            round = i;
            try {
                table.getObjectName();
            } catch (NullPointerException theBug) {
                // The columns were taken back in the middle.
            }
        }
        setter.join();
        System.out.println("done");
    }
}
