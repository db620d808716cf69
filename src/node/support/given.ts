/** A constructor that returns what it was given, so that a class derived from it adds its field to that. */
export class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is what the class is for.
    return object;
  }
}
