// expect: violation Ids.next
class Ids {
  static last = 0;
  id = 0;

  static async next() {
    const id = Ids.last + 1; // (1)
    await Ids.log(id);
    Ids.last = id; // (2)
    return id;
  }

  static async log() {
    await null;
  }
}

console.log(await Promise.all([Ids.next(), Ids.next()]));
