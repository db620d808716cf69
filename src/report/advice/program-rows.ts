import type { AdviceRow, Case, Words } from './row.ts';

/*
 * Advice for programs of tasks. No other task can come between two statements, only while something is awaited: so most is put
 * right by not waiting in between.
 */

const oneAfterTheOther = ({ calls }: Words) =>
  `Or let ${calls} run one after the other: behind a mutex, or chained to the promise of the one before.`;

const awaited = ({ firstPlace, lastPlace, awaits }: Words) =>
  awaits.length > 0
    ? `Other tasks run while ${awaits.join(' and ')} ${awaits.length === 1 ? 'waits' : 'wait'}.`
    : `Something is awaited between ${firstPlace} and ${lastPlace}, and other tasks run there.`;

/** Whether the block read before and writes after the other one's write. */
const isStaleWrite = ({ accesses }: Case) => /^r[wu][wu]$/.test(accesses);

const isDecision = ({ facts: { dependsBy } }: Case) =>
  // Where the source does not tell, what helps against both is said.
  dependsBy === undefined || dependsBy.includes('decision') || dependsBy.length === 0;

const stale = ({ own, other, variable, first, between, last }: Words) =>
  `${own} computed what it wrote to ${variable} (event ${last}) from what it had read before (event ${first}). ${other} had changed it in between (event ${between}), and that change is lost.`;

export const PROGRAM_ROWS: readonly AdviceRow[] = [
  {
    name: 'share-the-promise',
    of: 'program',
    applies: ({ violation: { consequence } }) => consequence === 'duplicate-work',
    why: ({ variable }) =>
      `Both tasks found ${variable} missing, and both made it: the work was done more than once, and the last one to write decides what stays.`,
    fix: () =>
      'Keep the promise of what is being made, and not only what it becomes. Put there before anything is awaited, it is found by everybody who comes later. Take it out if it fails, so that the next one tries again.',
    sketch: () => [
      'let promise = pending.get(key);',
      'if (promise === undefined) {',
      '  promise = make(key);',
      '  // before anything is awaited:',
      '  pending.set(key, promise);',
      '  promise.catch(() => pending.delete(key));',
      '}',
      'return promise;',
    ],
  },
  {
    name: 'decide-anew',
    of: 'program',
    applies: ({ violation: { consequence } }) => consequence === 'looked-again',
    why: ({ variable }) =>
      `The block looked at ${variable} again before it wrote, so that nothing is lost; but what it decided by the first look may no longer hold.`,
    fix: (words) =>
      `${awaited(words)} Decide by what ${words.variable} is after that, and not by what it was before. ${oneAfterTheOther(words)}`,
  },
  {
    name: 'take-first',
    of: 'program',
    applies: (one) => isStaleWrite(one) && one.facts.change === 'take',
    why: ({ own, other, variable, first, between }) =>
      `${own} looked at ${variable} (event ${first}) and took something out only after it had waited. ${other} looked at the same thing meanwhile and took it, too (event ${between}): it is handled twice, and another one is dropped unseen.`,
    fix: (words) =>
      `${awaited(words)} Take it out first, in one step, and then wait: what is no longer there cannot be taken twice. Put it back if the work fails.`,
    sketch: (words) => [
      '// taken before anything is awaited:',
      `const job = ${queueOf(words)}.shift();`,
      'if (job === undefined) return;',
      'await handle(job);',
    ],
  },
  {
    name: 'check-and-act-at-once',
    of: 'program',
    applies: (one) => isStaleWrite(one) && isDecision(one),
    why: ({ own, other, variable, first, between, last }) =>
      `${own} decided by ${variable} as it was at event ${first}. ${other} changed it (event ${between}) before ${own} acted (event ${last}), so that the check no longer held (check-then-act).`,
    fix: (words) =>
      `${awaited(words)} Check ${words.variable} after the last await, and write it at once if the check still holds; to read it again without checking it again is not enough. Or write first, wait then, and undo it if that fails. ${oneAfterTheOther(words)}`,
    sketch: (words) => {
      const value = words.code('value');
      return [
        'await slow();',
        '// checked after the last await, and changed at once:',
        `if (!isAllowed(${value})) return;`,
        `${value} = changed(${value});`,
      ];
    },
  },
  {
    name: 'update-in-one-step',
    of: 'program',
    applies: (one) => isStaleWrite(one) && one.facts.change === 'step',
    why: stale,
    fix: (words) =>
      `${awaited(words)} Await first, and change ${words.variable} in one statement that awaits nothing: \`+=\` reads the old value before it waits for what stands to its right. ${oneAfterTheOther(words)}`,
    sketch: (words) => [
      'const change = await slow();',
      '// reads and writes with nothing in between:',
      `${words.code('value')} += change;`,
    ],
  },
  {
    name: 'change-what-is-there',
    of: 'program',
    applies: isStaleWrite,
    why: stale,
    fix: (words) =>
      `${awaited(words)} Do not carry the old value over it: read ${words.variable} after the last await, right where it is written. ${oneAfterTheOther(words)}`,
    sketch: (words) => {
      const value = words.code('value');
      return [
        'const news = await slow();',
        '// read here, and not before:',
        `${value} = merged(${value}, news);`,
      ];
    },
  },
  {
    name: 'use-what-you-wrote',
    of: 'program',
    applies: ({ violation: { consequence } }) => consequence === 'built-upon',
    why: ({ other }) =>
      `${other} had looked at what the block wrote before it changed it, so that nothing is lost; but the block goes on with a value that is not its own.`,
    fix: (words) =>
      `${awaited(words)} If the block needs its own value, keep that in a constant instead of reading it back from ${words.variable}. ${oneAfterTheOther(words)}`,
  },
  {
    name: 'keep-your-own',
    of: 'program',
    applies: ({ accesses }) => /^[wu][wu]r$/.test(accesses),
    why: ({ own, other, variable, first, between, last }) =>
      `${own} read ${variable} (event ${last}) as if it still held what it had written (event ${first}), but ${other} had written it in between (event ${between}).`,
    fix: (words) =>
      `${awaited(words)} Keep the value in a constant and use that, instead of reading it back from ${words.variable}, which all tasks share. ${oneAfterTheOther(words)}`,
    sketch: (words) => [
      'const own = made();',
      `${words.code('value')} = own;`,
      'await slow();',
      "// what is shared may be another task's by now:",
      'use(own);',
    ],
  },
  {
    name: 'read-once',
    of: 'program',
    applies: ({ accesses }) => /^r[wu]r$/.test(accesses),
    why: ({ own, other, variable, first, between, last }) =>
      `${own} read ${variable} twice (events ${first} and ${last}), and ${other} changed it in between (event ${between}). What was decided by the first value need not fit the second.`,
    fix: (words) =>
      `${awaited(words)} Read ${words.variable} once and keep the value, or decide anew by what it is after that. ${oneAfterTheOther(words)}`,
    sketch: (words) => [
      `const seen = ${words.code('value')};`,
      'await slow();',
      '// not once more:',
      'use(seen);',
    ],
  },
  {
    name: 'write-once',
    of: 'program',
    applies: ({ accesses }) => /^[wu].[wu]$/.test(accesses),
    fix: (words) =>
      `${awaited(words)} Await first, and write ${words.variable} once, when all of it is there. ${oneAfterTheOther(words)}`,
    sketch: (words) => [
      'const whole = await slow();',
      '// written once, when all of it is there:',
      `${words.code('value')} = whole;`,
    ],
  },
];

/** `queue`, of `queue.length`. */
function queueOf({ code }: Words): string {
  return code('queue').replace(/\.(?:length|size)$/, '');
}
