// Writes docs/reference/commands.md from the help of the built program; with --check only says whether it is up to date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../docs/reference/commands.md', import.meta.url));
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

function help(...command) {
  return execFileSync(process.execPath, [MAIN, ...command, '--help'], { encoding: 'utf8' }).trimEnd();
}

/** The names of the commands, in the order in which the help lists them. */
function commandsIn(overview) {
  const [, list] = /^Commands:\n((?: {2}.*\n)+)/m.exec(overview) ?? [];
  if (list === undefined) throw new Error('trackside --help lists no commands');
  const names = [...list.matchAll(/^ {2}([a-z][\w+-]*)/gm)].map(([, name]) => name);
  return names.filter((name) => name !== 'help');
}

function page() {
  const overview = help();
  const sections = commandsIn(overview).map(
    (name) => `## \`trackside ${name}\`\n\n\`\`\`text\n${help(name)}\n\`\`\`\n`,
  );
  return [
    '# Commands\n',
    '<!-- Written by `npm run docs:commands` from the help texts of the program. -->\n',
    `\`\`\`text\n${overview}\n\`\`\`\n`,
    ...sections,
  ].join('\n');
}

const text = page();
if (process.argv[2] === '--check') {
  if (readFileSync(PAGE, 'utf8') !== text) {
    console.error('docs/reference/commands.md is not what the program says of itself: npm run docs:commands');
    process.exitCode = 1;
  }
} else writeFileSync(PAGE, text);
