import { literalGlob } from '../spec/glob.ts';
import { printable } from '../trace/printable.ts';

/** Longer words are not worth to be pasted. */
const LONGEST = 200;

/** A word of a command that a shell takes as it is, quoted where it has to be; null where there is none such. */
export function shellWord(text: string): string | null {
  if (text.length > LONGEST || printable(text, LONGEST) !== text || text.includes("'")) return null;
  if (text.startsWith('-') && text !== '-') return null;
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text}'`;
}

/** A command of ours that runs a program, as a shell takes it; a placeholder for what cannot be shown. */
export function programCommand(words: readonly string[]): string {
  return ['trackside', ...words.map(quotedWord)].join(' ');
}

function quotedWord(text: string): string {
  if (text.length > LONGEST || printable(text, LONGEST) !== text) return '<…>';
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A pattern for exactly this label, safe to be pasted into a shell; a placeholder where there is none such. */
export function labelWord(label: string): string {
  const glob = literalGlob(label);
  const word = glob.startsWith('-') ? null : shellWord(glob);
  return word === null ? '<label>' : word.startsWith("'") ? word : `'${word}'`;
}

/** A command of ours about a trace, with the options under which it was checked. */
export function suggestedCommand(
  command: string,
  trace: string,
  more: readonly string[],
  repeated: readonly string[] = [],
): string {
  const again = repeated.map((word) => (word.startsWith('--') ? word : (shellWord(word) ?? '<…>')));
  const subject = shellWord(trace) ?? '<trace>';
  // What comes after a program is its own.
  const words = command === 'run' ? [...again, ...more, subject] : [subject, ...again, ...more];
  return ['trackside', command, ...words].join(' ');
}
