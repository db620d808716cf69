// expect: violation Rows.bump
class Rows {
  row = { n: 0 };

  read() {
    return new Promise((resolve) => {
      setImmediate(() => resolve(this.row.n)); // (1)
    });
  }

  write(n) {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.row.n = n; // (2)
        resolve();
      });
    });
  }

  bump() {
    return this.read().then((n) => this.write(n + 1));
  }
}

const rows = new Rows();
Promise.all([rows.bump(), rows.bump()]).then(() => console.log(rows.row.n));
