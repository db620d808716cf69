/** Two threads pay into one account; each step is synchronized, the payment is not. */
public class Bank {
    private int balance;

    synchronized int balance() {
        return balance;
    }

    synchronized void setBalance(int value) {
        balance = value;
    }

    /** The first thread is interrupted by a whole payment of the second one, once. */
    void pay(int amount, boolean isInterrupted) {
        int before = balance();
        if (isInterrupted) Turns.giveAway();
        setBalance(before + amount);
    }

    synchronized void paySafely(int amount) {
        setBalance(balance() + amount);
    }

    public static void main(String[] args) throws Exception {
        Bank bank = new Bank();
        boolean isSafe = args.length > 0 && args[0].equals("safe");
        Thread first = new Thread(isSafe ? () -> payOften(bank) : () -> bank.pay(1, true), "first");
        Thread second = new Thread(isSafe ? () -> payOften(bank) : () -> payInBetween(bank), "second");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(isSafe ? bank.balance() : "paid");
    }

    static void payOften(Bank bank) {
        for (int i = 0; i < 300; i++) bank.paySafely(1);
    }

    static void payInBetween(Bank bank) {
        Turns.await(1);
        bank.pay(1, false);
        Turns.end();
    }
}
