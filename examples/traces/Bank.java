/** The program that bank-transfer.std was recorded from: every access is locked, and money is lost all the same. */
public class Bank {
  static final Account alice = new Account();
  static final Account bob = new Account();

  public static void main(String[] args) throws InterruptedException {
    Thread[] tellers = { new Thread(Bank::work, "teller-1"), new Thread(Bank::work, "teller-2") };

    alice.open(100);
    bob.open(0);

    tellers[0].start();
    tellers[1].start();

    tellers[0].join();
    tellers[1].join();

    System.out.println("Alice has " + alice.balance);
  }

  static void work() {
    new Bank().transfer(alice, bob, 10);
  }

  /*
   * Meant to be atomic: nobody should see, or lose, money on its way from one account to the other.
   * Account locks each access, but between two of them the account is anybody's.
   */

  // @Atomic
  void transfer(Account from, Account to, int amount) {
    int before = from.getBalance();
    from.setBalance(before - amount);
    to.deposit(amount);
  }
}
