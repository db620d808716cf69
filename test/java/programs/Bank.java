/** Two threads pay into one account; each step is synchronized, the payment is not. */
public class Bank {
    private int balance;

    synchronized int balance() {
        return balance;
    }

    synchronized void setBalance(int value) {
        balance = value;
    }

    void pay(int amount) {
        int before = balance();
        Thread.yield();
        setBalance(before + amount);
    }

    synchronized void paySafely(int amount) {
        setBalance(balance() + amount);
    }

    public static void main(String[] args) throws Exception {
        Bank bank = new Bank();
        boolean isSafe = args.length > 0 && args[0].equals("safe");
        Runnable body = () -> {
            for (int i = 0; i < 300; i++) {
                if (isSafe) bank.paySafely(1);
                else bank.pay(1);
            }
        };
        Thread first = new Thread(body, "first");
        Thread second = new Thread(body, "second");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(isSafe ? bank.balance() : "paid");
    }
}
