// Seats of a theatre: booked, given back, and given to those who wait.
import { Mutex } from '../locks.mjs';
import { pause, traffic } from '../traffic.mjs';

class Show {
  #seats = new Map(['A1', 'A2', 'A3'].map((seat) => [seat, null]));
  #waiting = [];
  #mutex = new Mutex();

  async #take(seat, customer) {
    if (this.#seats.get(seat) !== null) return false;
    await pause(2); // The payment.
    this.#seats.set(seat, customer);
    return true;
  }

  async #giveBack(seat) {
    const customer = this.#seats.get(seat);
    if (customer === null) return;
    await pause(1); // The refund.
    this.#seats.set(seat, null);
  }

  async #serveNext(seat) {
    if (this.#seats.get(seat) !== null || this.#waiting.length === 0) return;
    const customer = this.#waiting.shift();
    await pause(1); // The mail.
    this.#seats.set(seat, customer);
  }

  wait(customer) {
    this.#waiting.push(customer);
  }

  book(seat, customer) {
    return this.#mutex.run(() => this.#take(seat, customer)); // lock: book -> return this.#take(seat, customer);
  }

  cancel(seat) {
    return this.#mutex.run(() => this.#giveBack(seat)); // lock: cancel -> return this.#giveBack(seat);
  }

  promote(seat) {
    return this.#mutex.run(() => this.#serveNext(seat)); // lock: promote -> return this.#serveNext(seat);
  }

  taken() {
    return [...this.#seats.values()].filter((customer) => customer !== null).length;
  }
}

const show = new Show();
for (const customer of ['gil', 'hal', 'ivy']) show.wait(customer);
await show.book('A1', 'eve');
await traffic(1500, [
  () => show.book('A1', 'ann'),
  () => show.book('A2', 'bob'),
  () => show.book('A2', 'cid'),
  () => show.book('A3', 'dan'),
  () => show.cancel('A1'),
  () => show.cancel('A1'), // Whoever clicks twice.
  () => show.cancel('A2'),
  () => show.promote('A1'),
  () => show.promote('A2'),
  () => show.promote('A3'),
]);
console.log('taken:', show.taken());
