/** Numbers objects in the order in which it sees them, without keeping them alive. */
export class Numbers<T extends object> {
  readonly #numbers = new WeakMap<T, number>();
  #count = 0;

  of(object: T): number {
    let number = this.#numbers.get(object);
    if (number === undefined) {
      number = this.#count++;
      this.#numbers.set(object, number);
    }
    return number;
  }
}
