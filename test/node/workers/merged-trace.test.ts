import { describe, expect, it } from 'vitest';
import type { TraceSink } from '../../../src/node/core/trace-sink.ts';
import { Table } from '../../../src/node/isolates/records.ts';
import { MergedTrace } from '../../../src/node/workers/merged-trace.ts';
import type { EventBatch } from '../../../src/trace/batch.ts';
import { MNEMONICS, OPERAND_KINDS, Op } from '../../../src/trace/operation.ts';

/** Writes down what comes: `thread op(operand)`. */
class Written implements TraceSink {
  readonly events: string[] = [];
  readonly forgotten: number[] = [];
  readonly #trace: MergedTrace;

  constructor(trace: MergedTrace) {
    this.#trace = trace;
  }

  take(batch: EventBatch): void {
    const { names } = this.#trace;
    const tables = {
      variable: names.variables,
      thread: names.threads,
      label: names.labels,
      message: names.locks,
    };
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i];
      const table = tables[OPERAND_KINDS[op] as keyof typeof tables];
      this.events.push(
        `${names.threads.text(batch.thread[i])} ${MNEMONICS[op]}(${table.text(batch.operand[i])})`,
      );
    }
  }
  needsThread(): boolean {
    return false;
  }
  needsVariable(): boolean {
    return false;
  }
  forgetThreads(threads: readonly number[]): void {
    this.forgotten.push(...threads);
  }
  forgetVariable(): void {}
  finish(): void {}
}

function mergedTrace() {
  const trace = new MergedTrace();
  const written = new Written(trace);
  trace.addSink(written);
  const name = (isolate: number, table: number, id: number, text: string) =>
    trace.name(isolate, table, id, Buffer.from(text));
  return { trace, written, name };
}

describe('the merged trace', () => {
  it('takes the same name of two isolates for the same thing', () => {
    const { trace, written, name } = mergedTrace();
    name(0, Table.threads, 0, 'main');
    name(0, Table.variables, 3, 'file a');
    name(1, Table.threads, 0, 'worker 1');
    name(1, Table.variables, 0, 'file a');
    trace.event(0, Op.write, 0, 3, 0);
    trace.event(1, Op.read, 0, 0, 0);
    trace.flush();
    expect(written.events).toEqual(['main w(file a)', 'worker 1 r(file a)']);
    expect(trace.names.variables.size).toBe(1);
  });

  it('lacks a message whose sending died with its sender', () => {
    const { trace, written, name } = mergedTrace();
    name(0, Table.threads, 0, 'main');
    name(0, Table.messages, 0, '#1 from worker 1');
    trace.event(0, Op.receive, 0, 0, 0);
    trace.event(0, Op.send, 0, 0, 0);
    trace.event(0, Op.receive, 0, 0, 0);
    trace.flush();
    expect(written.events).toEqual(['main send(#1 from worker 1)', 'main receive(#1 from worker 1)']);
  });

  it('uses the numbers of threads again that no isolate knows any more', () => {
    const { trace, written, name } = mergedTrace();
    name(0, Table.threads, 0, 'main');
    name(0, Table.labels, 0, 'f');
    // So many that it looks which are needed, and long enough for a number to be used again.
    for (let i = 1; i < 60_000; i++) {
      name(0, Table.threads, 1, `f#${i}`);
      trace.event(0, Op.fork, 0, 1, 0);
      trace.event(0, Op.begin, 1, 0, 0);
      trace.event(0, Op.end, 1, 0, 0);
      trace.forget(0, Table.threads, 1);
    }
    trace.flush();
    expect(written.events.at(-1)).toBe('f#59999 end(f)');
    expect(trace.names.threads.size).toBeLessThan(50_000);
  });

  it('keeps what another isolate still knows', () => {
    const { trace, written, name } = mergedTrace();
    name(0, Table.threads, 0, 'worker 1');
    name(1, Table.threads, 0, 'worker 1');
    for (let i = 1; i < 3000; i++) {
      name(0, Table.threads, i, `t${i}`);
      trace.event(0, Op.fork, 0, i, 0);
      trace.forget(0, Table.threads, i);
    }
    trace.ended(0);
    trace.flush();
    expect(written.forgotten.length).toBeGreaterThan(2000);
    expect(written.forgotten).not.toContain(0);
  });
});

describe('messages', () => {
  it('have numbers that are used again, and mean the same to who sends and who receives them', () => {
    const { trace, written, name } = mergedTrace();
    name(0, Table.threads, 0, 'main');
    name(1, Table.threads, 0, 'worker 1');
    for (let i = 1; i < 60_000; i++) {
      name(0, Table.messages, 0, `#${i} to worker 1`);
      trace.event(0, Op.send, 0, 0, 0);
      trace.forget(0, Table.messages, 0);
      name(1, Table.messages, 0, `#${i} to worker 1`);
      trace.event(1, Op.receive, 0, 0, 0);
      trace.forget(1, Table.messages, 0);
    }
    trace.flush();
    expect(written.events.length).toBe(2 * 59_999);
    expect(written.events.at(-1)).toBe('worker 1 receive(#59999 to worker 1)');
    expect(trace.names.locks.size).toBeLessThan(50_000);
  });

  it('are not kept for ever if nobody receives them', () => {
    const { trace, name } = mergedTrace();
    name(0, Table.threads, 0, 'main');
    for (let i = 1; i < 160_000; i++) {
      name(0, Table.messages, 0, `#${i} to worker 1`);
      trace.event(0, Op.send, 0, 0, 0);
      trace.forget(0, Table.messages, 0);
    }
    trace.flush();
    expect(trace.names.locks.size).toBeLessThan(130_000);
  });
});
