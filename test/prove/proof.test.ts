import { describe, expect, it } from 'vitest';
import type { TurnsOptions } from '../../src/node/runtime/turns/options.ts';
import type { Outcome } from '../../src/prove/outcome.ts';
import { type Execution, prove } from '../../src/prove/proof.ts';

const call = (nth: number) => ({ label: 'finish', nth });
const RIVALS = { own: call(2), other: call(1) };
/** There were three calls. */
const ENCOUNTERS = {
  rivals: new Map(),
  ended: [call(1), call(2), call(3)],
  counts: new Map([['finish', 3]]),
};

const printed = (line: string): Outcome => ({
  output: [line],
  code: 0,
  error: null,
  values: new Map(),
  files: new Map(),
});

/** A run with all calls one at a time prints 3; with two of them so, what the third one came into is not alone. */
function verdictIf(isAlone: (nth: number) => boolean): Promise<string> {
  const execute = async (turns: TurnsOptions | null): Promise<Execution> => ({
    outcome: printed(turns === null || turns.onlySequence ? 'done 2' : 'done 3'),
    givenUp: null,
    isTimedOut: false,
    between: async ({ nth }) => (turns?.onlySequence && !isAlone(nth) ? 'a third one came between' : null),
    waited: 1,
    milliseconds: 1,
  });
  const observed = printed('done 2');
  return prove(RIVALS, new Set(), ENCOUNTERS, observed, observed, execute).then(({ verdict }) => verdict);
}

describe('two calls one after the other that come to the observed outcome', () => {
  it('show that there was no harm', async () => expect(await verdictIf(() => true)).toBe('no-difference'));

  it.each([1, 2])('show nothing if a third one came into call %i', async (met) =>
    expect(await verdictIf((nth) => nth !== met)).toBe('harmful'),
  );
});
