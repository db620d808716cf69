import { RULES } from './rules.ts';

/** What a verdict is called where it is no severity. */
const NOTHING = 'nothing is said';

/** The table of rules for the documentation. */
export function rulesAsMarkdown(): string {
  const rows = RULES.map(
    ({ name, verdict, because }) =>
      `| \`${name}\` | ${verdict === 'none' ? NOTHING : verdict} | ${because} |`,
  );
  return ['| rule | severity | because |', '|---|---|---|', ...rows].join('\n');
}

/** The same for a terminal, with a program for each rule if that is asked for. */
export function rulesAsText(withExamples = false): string {
  const width = Math.max(...RULES.map(({ name }) => name.length));
  const lines = RULES.flatMap(({ name, verdict, because, example }) => [
    `${name.padEnd(width)}  ${(verdict === 'none' ? '-' : verdict).padEnd(7)}  ${because}`,
    ...(withExamples && example !== undefined
      ? ['', ...example.split('\n').map((line) => `    ${line}`.trimEnd())]
      : []),
  ]);
  return `The first rule that applies to what two accesses of a block and one of another task\nbetween them have done decides how bad that is.\n\n${lines.join('\n')}\n`;
}
