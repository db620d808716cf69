import type { EventBatch } from '../../trace/batch.ts';
import { compiledModule } from '../../trace/compiled-code.ts';
import { ACCESSES } from './accesses-wasm.ts';

const PAGE_BYTES = 1 << 16;
/** Memory that is not touched is not taken from the system; what grows beyond it makes all typed arrays a little slower. */
const FIRST_PAGES = 512;

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** What is used of it; there is none with `node --jitless`. */
declare const WebAssembly:
  | {
      Instance: new (module: object, imports: object) => { exports: unknown };
      Memory: new (pages: { initial: number }) => Memory;
    }
  | undefined;

let compiled: object | null = null;

/** wasm/accesses.c, and the memory on which it works. */
export class CompiledAccesses {
  cells: Int32Array;
  readonly #memory: Memory;
  readonly #skim: (from: number, to: number) => number;
  #columns: readonly number[] = [];
  #op = new Uint8Array(0);
  #thread = new Int32Array(0);
  #operand = new Int32Array(0);

  /** With room for so many cells; null where there is no WebAssembly, or no memory. */
  static withMemory(cells: number): CompiledAccesses | null {
    if (typeof WebAssembly === 'undefined') return null;
    try {
      compiled ??= compiledModule(ACCESSES);
      const initial = Math.max(FIRST_PAGES, Math.ceil((8 * cells) / PAGE_BYTES));
      const memory = new WebAssembly.Memory({ initial });
      const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
      return new CompiledAccesses(memory, (exports as { skim: (from: number, to: number) => number }).skim);
    } catch {
      return null;
    }
  }

  private constructor(memory: Memory, skim: (from: number, to: number) => number) {
    this.#memory = memory;
    this.#skim = skim;
    this.cells = new Int32Array(memory.buffer);
  }

  /** False if there is no memory for that. What was seen of it before is gone then. */
  grow(cells: number): boolean {
    try {
      this.#memory.grow(Math.ceil((4 * (cells - this.cells.length)) / PAGE_BYTES));
    } catch {
      return false;
    }
    this.cells = new Int32Array(this.#memory.buffer);
    this.#look();
    return true;
  }

  /** Where in the memory the columns of a batch go: operations, threads and operands. */
  setColumns(columns: readonly number[]): void {
    this.#columns = columns;
    this.#look();
  }

  takeIn({ op, thread, operand, length }: EventBatch): void {
    this.#op.set(op.subarray(0, length));
    this.#thread.set(thread.subarray(0, length));
    this.#operand.set(operand.subarray(0, length));
  }

  skim(from: number, to: number): number {
    return this.#skim(from, to);
  }

  #look(): void {
    if (this.#columns.length === 0) return;
    const { buffer } = this.#memory;
    const [op, thread, operand] = this.#columns;
    this.#op = new Uint8Array(buffer, op * 4, thread * 4 - op * 4);
    this.#thread = new Int32Array(buffer, thread * 4, operand - thread);
    this.#operand = new Int32Array(buffer, operand * 4, operand - thread);
  }
}
