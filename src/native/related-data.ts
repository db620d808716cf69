import { accessesConflict } from '../explain/pattern.ts';
import { TraceReader } from '../formats/read.ts';
import type { EventBatch } from '../trace/batch.ts';
import { locationText } from '../trace/location.ts';
import { accessKind, isAccess, Op } from '../trace/operation.ts';

/*
 * A function that counts something at its end, under a lock of its own, is in many cycles of conflicts that mean nothing: others
 * were before it with the data, and after it with the counter. What is read and written under one lock commutes with what others
 * do to it in the same way. A block is broken if, without that, one other block comes both after and before it; or if what another
 * thread does in one go, under a lock, does: then the data belongs together.
 */

/** What one thread does while it holds a lock: by variable, the kind of access. */
type Section = Map<number, Op>;

/** Critical sections and their variables are told from blocks and all variables by their numbers. */
const IN_ONE_GO = 2 ** 40;

class OpenBlock {
  readonly begin: number;
  readonly own = new Map<number, Op[]>();
  /** By variable: who else has accessed it since the block began, and how. */
  readonly others = new Map<number, Map<number, Op[]>>();
  readonly before = new Set<number>();
  /** By other block or critical section: the variables with which it comes after this one. */
  readonly after = new Map<number, Set<number>>();

  constructor(begin: number) {
    this.begin = begin;
  }

  get isBroken(): boolean {
    return [...this.after].some(([other, variables]) => variables.size > 0 && this.before.has(other));
  }

  add(variable: number, kind: Op, isSwap: boolean): void {
    for (const [other, kinds] of this.others.get(variable) ?? [])
      if (kinds.some((each) => accessesConflict(each, kind))) this.before.add(other);
    // Compare-and-swap is made only if nothing has changed: what was read before it was not too old.
    if (isSwap) for (const variables of this.after.values()) variables.delete(variable);
    added(this.own, variable, kind);
  }

  addOther(other: number, variable: number, kind: Op): void {
    const known = this.others.get(variable) ?? new Map<number, Op[]>();
    this.others.set(variable, known);
    added(known, other, kind);
    if (!this.own.get(variable)?.some((each) => accessesConflict(each, kind))) return;
    const variables = this.after.get(other) ?? new Set();
    this.after.set(other, variables.add(variable));
  }
}

function added(map: Map<number, Op[]>, key: number, kind: Op): void {
  const kinds = map.get(key);
  if (kinds === undefined) map.set(key, [kind]);
  else if (!kinds.includes(kind)) kinds.push(kind);
}

/** Those of the blocks, by the numbers of their begin events, that are broken by one other block, apart from what commutes. */
export async function blocksWithRelatedData(
  trace: string,
  begins: ReadonlySet<number>,
): Promise<ReadonlySet<number>> {
  const reader = await TraceReader.open(trace, { lenient: true });
  const isSwap = (location: number) => locationText(reader.names.locations, location)?.endsWith('!') === true;
  const search = new Search(begins, isSwap);
  for await (const batch of reader.batches()) search.look(batch);
  return search.found;
}

class Search {
  readonly found = new Set<number>();
  readonly #begins: ReadonlySet<number>;
  readonly #isSwap: (location: number) => boolean;
  /** Per thread: the numbers of the begins of its open blocks, and those of them that are looked at. */
  readonly #open: number[][] = [];
  readonly #watched: OpenBlock[][] = [];
  #watching = 0;
  readonly #locks: number[] = [];
  readonly #sections: (Section | undefined)[] = [];

  constructor(begins: ReadonlySet<number>, isSwap: (location: number) => boolean) {
    this.#begins = begins;
    this.#isSwap = isSwap;
  }

  look(batch: EventBatch): void {
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i];
      const thread = batch.thread[i];
      if (isAccess(op)) this.#access(batch, i);
      else if (op === Op.acquire) this.#locks[thread] = (this.#locks[thread] ?? 0) + 1;
      else if (op === Op.release) this.#release(thread, batch.firstEvent + i);
      else if (op === Op.begin) this.#begin(thread, batch.firstEvent + i);
      else if (op === Op.end) this.#end(thread, batch.firstEvent + i);
    }
  }

  #begin(thread: number, event: number): void {
    this.#open[thread] ??= [];
    this.#watched[thread] ??= [];
    this.#open[thread].push(event);
    if (!this.#begins.has(event)) return;
    this.#watched[thread].push(new OpenBlock(event));
    this.#watching++;
  }

  #end(thread: number, event: number): void {
    this.#flush(thread, event);
    const begin = this.#open[thread]?.pop();
    const watched = this.#watched[thread]?.at(-1);
    if (watched === undefined || watched.begin !== begin) return;
    if (watched.isBroken) this.found.add(watched.begin);
    this.#watched[thread].pop();
    this.#watching--;
  }

  #release(thread: number, event: number): void {
    this.#locks[thread] = Math.max(0, (this.#locks[thread] ?? 0) - 1);
    if (this.#locks[thread] === 0) this.#flush(thread, event);
  }

  #access(batch: EventBatch, i: number): void {
    const kind = accessKind(batch.op[i]) as Op;
    const variable = batch.operand[i];
    const thread = batch.thread[i];
    const event = batch.firstEvent + i;
    if ((this.#locks[thread] ?? 0) === 0) {
      const isSwap = kind === Op.update && this.#isSwap(batch.location[i]);
      this.#done(thread, event, variable, kind, isSwap);
      return;
    }
    this.#sections[thread] ??= new Map();
    const section = this.#sections[thread] as Section;
    const before = section.get(variable);
    const isUpdate = before === Op.update || (before === Op.read && kind === Op.write);
    section.set(variable, isUpdate ? Op.update : before === Op.write ? Op.write : kind);
  }

  #flush(thread: number, event: number): void {
    const section = this.#sections[thread];
    if (section === undefined) return;
    this.#sections[thread] = undefined;
    for (const [variable, kind] of section) {
      this.#done(thread, event, variable, kind, false);
      this.#add(thread, IN_ONE_GO + event, IN_ONE_GO + variable, kind === Op.update ? Op.write : kind, false);
    }
  }

  #done(thread: number, event: number, variable: number, kind: Op, isSwap: boolean): void {
    // Without a block, an access stands for itself.
    this.#add(thread, this.#open[thread]?.[0] ?? -event, variable, kind, isSwap);
  }

  #add(thread: number, other: number, variable: number, kind: Op, isSwap: boolean): void {
    if (this.#watching === 0) return;
    for (const block of this.#watched[thread] ?? []) block.add(variable, kind, isSwap);
    for (const [of, blocks] of this.#watched.entries())
      if (of !== thread && blocks !== undefined)
        for (const block of blocks) block.addOther(other, variable, kind);
  }
}
