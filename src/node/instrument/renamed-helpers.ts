import { isFunction, type Node, unwrap } from './ast.ts';

/** What a minifier has renamed: the helper that makes an async function of this argument, or one that drives a state machine. */
export type RenamedHelper = number | 'machine';

/** Helpers are short. */
const LONGEST = 2000;

/** What the helpers that make async functions all do, whatever their variables are called. */
const MAKING = [/\.next\(/, /\.throw\(|\[["']throw["']\]\(/, /\.apply\(/, /\.done\b/, /\bPromise\b/];

/** The state of TypeScript's machines: its properties keep their names. */
const MACHINE = [/\blabel:\s*0\b/, /\btrys:\s*\[\]/, /\bops:\s*\[\]/];

/** Which helper of a compiler a variable is declared to be, if it is one. */
export function renamedHelper(init: Node | null | undefined, source: string): RenamedHelper | null {
  if (!init || init.end - init.start > LONGEST) return null;
  let made = unwrap(init);
  // `this && this.__awaiter || function …`
  if (made.type === 'LogicalExpression') made = unwrap(made.right);
  if (!isFunction(made)) return null;
  const text = source.slice(made.start, made.end);
  const does = (parts: readonly RegExp[]) => parts.every((part) => part.test(text));
  if (made.params.length === 2 && does(MACHINE)) return 'machine';
  // esbuild: (this, arguments, generator); TypeScript: a class of promises before the generator.
  if ((made.params.length === 3 || made.params.length === 4) && does(MAKING)) return made.params.length - 1;
  return null;
}
