/** An account in which every access takes the lock of the account. */
class Account {
  private final Object lock = new Object();
  int balance;

  /** Before there are other threads. */
  void open(int amount) {
    balance = amount;
  }

  /* Each of these is atomic by itself. */

  int getBalance() {
    synchronized (lock) {
      return balance;
    }
  }
  void setBalance(int value) {
    synchronized (lock) {
      balance = value;
    }
  }
  void deposit(int amount) {
    synchronized (lock) {
      balance += amount;
    }
  }
}
