import { literal } from './literal.ts';
import type { Block, Step, Thread } from './plan.ts';

/** What a step does when its turn has come, as a statement. */
export type Deed = (step: Step) => string;

export interface CodeStyle {
  deed: Deed;
  /** With what every function begins. */
  opening: string;
  blockText(block: Block, body: string): string;
}

/** Gives up control: only then it is known that whoever has called a function waits for it. */
export const PAUSE = '  await null;\n';

/** A thread as an async function, and its blocks, which are async functions too. */
export function threadText(thread: Thread, { deed, opening, blockText }: CodeStyle): string {
  // One that does nothing has to wait for something to be a task.
  const lines = thread.steps.length === 0 ? PAUSE : opening + linesOf(thread.steps, deed);
  const blocks = thread.blocks.map((block) => {
    const body = `${opening}${linesOf(block.steps, deed)}  await turn(${block.end});\n`;
    return blockText(block, body);
  });
  return `// Thread ${literal(thread.name)}
// trackside-ignore-next-line a thread is no block
const thread${thread.number} = async () => {
${lines}};
${blocks.join('')}`;
}

/** A function with the name of the block. */
export function namedBlock({ number, label }: Block, body: string): string {
  return `const block${number} = block({ async ${literal(label)}() {
${body}} });
`;
}

/** How a function is taken out of the object that gives it its name. */
export const BLOCK_HELPER = `// trackside-ignore-next-line how blocks get their names is not part of the trace
const block = (named) => Object.values(named)[0];
`;

function linesOf(steps: readonly Step[], deed: Deed): string {
  return steps.map((step) => `  await turn(${step.event}); ${deed(step)}\n`).join('');
}
