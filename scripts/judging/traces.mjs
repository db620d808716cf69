// Programs, the traces of one run of each, and what is found in a trace: for scripts that measure the judgement.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { load, temporaryFolder } from '../../bench/javascript/modules.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = path.join(ROOT, 'dist/cli/main.js');
const CORPUS = ['test/node/programs', 'test/node/shared-memory/programs', 'test/node/realistic'];

const { Announcements, resultsOfTrace, programResults, RULES, regiontrack, Specification } = await load([
  'cli/live-findings',
  'check/pipeline',
  'node/judgement/program-results',
  'node/judgement/rules',
  'analyses/regiontrack/index',
  'spec/specification',
]);

export { Announcements, RULES };

/** The programs that are named, or in folders that are; those of the tests if none are. */
export function programsIn(files) {
  const all = files.length > 0 ? files : CORPUS.map((each) => path.join(ROOT, each));
  return all.flatMap((file) => {
    if (!statSync(file).isDirectory()) return [path.resolve(file)];
    const names = readdirSync(file).filter((name) => /\.[cm]?[jt]s$/.test(name));
    return names.map((name) => path.resolve(file, name));
  });
}

/** The traces of one run of each program, in this folder if one is given; those that are there already are not recorded again. */
export function* tracesOf(programs, folder = temporaryFolder('traces')) {
  mkdirSync(folder, { recursive: true });
  for (const program of programs) {
    const trace = path.join(folder, `${path.relative(ROOT, program).replace(/\W/g, '-')}.trk`);
    if (!existsSync(trace))
      try {
        execFileSync(process.execPath, [MAIN, 'record', '-o', trace, program], {
          cwd: path.dirname(program),
          stdio: 'ignore',
          timeout: 60_000,
        });
      } catch {
        // The program may end in any way.
      }
    if (existsSync(trace) && statSync(trace).size > 0) yield { program: path.basename(program), trace };
  }
}

/** What `run` reports of the trace; it may lack its end. */
export async function violationsIn(trace) {
  const [{ violations }] = await resultsOfTrace(
    { path: trace, rereadable: true, problem: null },
    {
      analyses: [regiontrack],
      specification: new Specification(),
      forkJoin: 'family',
      format: 'trk',
      lenient: true,
      first: false,
      subtraces: false,
      origin: 'program',
      judge: (found, file) => programResults(found, file),
      sources: { searched: [] },
    },
  );
  return violations;
}
