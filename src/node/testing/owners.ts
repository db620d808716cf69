import type { TraceCheck } from '../../check/check.ts';
import type { ViolationResult } from '../../check/result.ts';
import type { CheckRequest } from './check-request.ts';
import type { Descent } from './descent.ts';

/** Which test has to be told what was found; no more than once. */
export class Owners {
  /** The begins of blocks that other tests have to be told of. */
  readonly left: number[] = [];
  /** Those of blocks that were looked at though no cycle shows anything. */
  readonly seen: number[] = [];
  /** What no cycle shows is of interest from here on. */
  readonly from: number;
  readonly #descent: Descent;
  readonly #test: string | null;
  readonly #tests: ReadonlySet<string>;
  readonly #untold: ReadonlySet<number>;
  readonly #known: Set<number>;

  constructor(descent: Descent, { begins, from, seen, test, others }: CheckRequest) {
    this.#descent = descent;
    this.#test = test;
    this.#tests = new Set(test === null ? [] : [test, ...others]);
    this.#untold = new Set(begins);
    this.#known = new Set(seen);
    this.from = from;
  }

  /** Drops what has been told, and what is not for this test. */
  select({ runs, trace }: TraceCheck): void {
    for (const run of runs) {
      run.violations = run.violations.filter(({ block, thread }) => {
        if (block === null || trace === null) return false;
        this.#known.add(block.begin);
        return this.#untold.has(block.begin) && this.#isOwn(trace.names.threads.text(thread), block.begin);
      });
    }
  }

  /** Whether something that no cycle shows is for this test. */
  takes({ block, thread }: ViolationResult): boolean {
    if (block === null || this.#known.has(block.begin) || !this.#isOwn(thread, block.begin)) return false;
    this.seen.push(block.begin);
    return true;
  }

  #isOwn(thread: string, begin: number): boolean {
    const owner = this.#descent.testOf(thread, this.#tests);
    // What belongs to no test is told by the first that ends.
    if (owner === null || owner === this.#test) return true;
    this.left.push(begin);
    return false;
  }
}
