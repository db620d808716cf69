import java.sql.*;

/** Three threads work on a database in memory, each on its own rows and together on a few; prints what is left. */
public class Databases {
    public static void main(String[] args) throws Exception {
        String url = args[0];
        int rounds = Integer.parseInt(args[1]);
        Connection keeper = DriverManager.getConnection(url, "sa", "");
        try (Statement statement = keeper.createStatement()) {
            statement.execute("create table item(id int primary key, name varchar(40), stock int)");
            for (int i = 0; i < 50; i++)
                statement.execute("insert into item values(" + i + ", 'item " + i + "', 0)");
        }
        Thread[] threads = new Thread[3];
        for (int t = 0; t < threads.length; t++) {
            int me = t;
            threads[t] = new Thread(() -> work(url, me, rounds), "client " + t);
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        try (Statement statement = keeper.createStatement();
                ResultSet sum = statement.executeQuery("select sum(stock), count(*) from item")) {
            sum.next();
            System.out.println(sum.getInt(1) + " in " + sum.getInt(2));
        }
    }

    static void work(String url, int me, int rounds) {
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                PreparedStatement update = connection.prepareStatement("update item set stock = stock + 1 where id = ?");
                PreparedStatement query = connection.prepareStatement("select name from item where stock >= ? and id < 10")) {
            for (int i = 0; i < rounds; ) {
                try {
                    update.setInt(1, i % 7 == 0 ? 0 : 10 + 10 * me + i % 10);
                    update.executeUpdate();
                    i++;
                } catch (SQLException busy) {
                    continue;
                }
                query.setInt(1, i);
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) rows.getString(1);
                }
            }
        } catch (SQLException wrong) {
            System.out.println("failed: " + wrong);
        }
    }
}
