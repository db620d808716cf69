// @ts-nocheck: enums and decorators need more than erasing types
// expect: violation Machine.advance
// prints: advance 2 Running
enum State {
  Idle,
  Running,
  Done,
}

const calls: string[] = [];

function logged(_target: object, name: string, descriptor: PropertyDescriptor) {
  const original = descriptor.value;
  descriptor.value = function (...values: unknown[]) {
    calls.push(name);
    return original.apply(this, values);
  };
  return descriptor;
}

class Machine {
  state = State.Idle;

  @logged
  async advance(): Promise<void> {
    const now = this.state; // (1)
    await null;
    this.state = now + 1; // (2)
  }
}

const machine = new Machine();
await Promise.all([machine.advance(), machine.advance()]);
console.log(calls[0], calls.length, State[machine.state]);
