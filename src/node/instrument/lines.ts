/** Line and column, both from 1, of offsets in a text. */
export class Lines {
  private readonly starts: number[] = [0];
  private last = 0;

  constructor(text: string) {
    // The line terminators of ECMA-262; `\r\n` is one.
    const terminator = /\r\n|[\n\r\u2028\u2029]/g;
    while (terminator.exec(text) !== null) this.starts.push(terminator.lastIndex);
  }

  line(offset: number): number {
    const { starts } = this;
    // Offsets are mostly asked for in ascending order, so the last line, or the one after it, is a good guess.
    let low = 0;
    let high = starts.length - 1;
    if (starts[this.last] <= offset) low = this.last;
    else high = this.last;
    if (low < high && starts[low + 1] > offset) high = low;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    this.last = low;
    return low + 1;
  }

  column(offset: number): number {
    return offset - this.starts[this.line(offset) - 1] + 1;
  }
}
