import type { EvaluatedText } from './evaluated-text.ts';
import { keepStacks } from './stacks.ts';

/** Leaves no trace of how we came into a thread of the program; `text` is what it is made of, if that is no file. */
export function hideOurselves(text: EvaluatedText | null = null): void {
  // Stacks show the positions of the original sources.
  process.setSourceMapsEnabled(true);
  keepStacks(text);
  // A program that starts others in its own image (`child_process.fork`) does not pass our hooks on.
  process.execArgv = withoutOurs(process.execArgv);
}

export function withoutOurs(args: readonly string[]): string[] {
  const own = new URL('./register.js', import.meta.url).href;
  return args.filter((arg, i) => {
    const value =
      arg === '--import' ? args[i + 1] : args[i - 1] === '--import' ? arg : arg.replace(/^--import=/, '');
    return value !== own && value !== 'trackside/register';
  });
}
