import { describe, expect, it } from 'vitest';
import { differences as differencesOf, type Outcome } from '../../src/prove/outcome.ts';

const outcome = (parts: Partial<Outcome>): Outcome => ({
  code: 0,
  output: [],
  error: null,
  values: new Map(),
  files: new Map(),
  ...parts,
});

const differences = (one: Outcome, other: Outcome) =>
  differencesOf(one, other, new Set(['balance', 'only here']));

describe('differences of two runs', () => {
  it('are none if the same lines come in another order', () => {
    expect(differences(outcome({ output: ['a', 'b'] }), outcome({ output: ['b', 'a'] }))).toEqual([]);
  });

  it('are the lines that one run has more often', () => {
    expect(
      differences(outcome({ output: ['sold', 'sold'] }), outcome({ output: ['sold', 'refused'] })),
    ).toEqual([{ what: 'output', observed: ['sold'], serial: ['refused'] }]);
  });

  it('are not how long a test took', () => {
    const one = outcome({ output: ['ok 1 - pays (1.5ms)', '# duration_ms 40.25'] });
    const other = outcome({ output: ['ok 1 - pays (2 ms)', '# duration_ms 41.5'] });
    expect(differences(one, other)).toEqual([]);
  });

  it('are exit codes and what an error said', () => {
    const failed = outcome({ code: 1, error: 'Error: overdrawn' });
    expect(differences(failed, outcome({}))).toEqual([
      { what: 'exit code', observed: ['1'], serial: ['0'] },
      { what: 'error', observed: ['Error: overdrawn'], serial: [] },
    ]);
  });

  it('are values of variables that both runs have', () => {
    const one = outcome({
      values: new Map([
        ['balance', '30'],
        ['only here', '1'],
      ]),
    });
    expect(differences(one, outcome({ values: new Map([['balance', '-40']]) }))).toEqual([
      { what: 'value', name: 'balance', observed: ['30'], serial: ['-40'] },
    ]);
  });

  it('are the lines of a file that both have written', () => {
    const one = new Map([
      ['count.txt', ['1']],
      ['tmp-17', ['x']],
    ]);
    const other = new Map([
      ['count.txt', ['2']],
      ['tmp-18', ['y']],
    ]);
    expect(differences(outcome({ files: one }), outcome({ files: other }))).toEqual([
      { what: 'file', name: 'count.txt', observed: ['1'], serial: ['2'] },
    ]);
  });
});
