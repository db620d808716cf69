// expect: violation Cinema.reserve
class Cinema {
  #seats = 2;
  #sold = [];

  async reserve(name, count) {
    if (this.#seats < count) return false; // (1)
    await this.#confirm(name);
    this.#seats -= count; // (2)
    this.#sold.push(name);
    return true;
  }

  async #confirm(name) {
    await name;
  }

  get seats() {
    return this.#seats;
  }
}

const cinema = new Cinema();
console.log(await Promise.all([cinema.reserve('ann', 2), cinema.reserve('bob', 1)]), cinema.seats);
