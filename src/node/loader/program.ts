import { writeFileSync } from 'node:fs';
import { startRuntime } from '../runtime/index.ts';
import { turnsFile } from '../runtime/turns/options.ts';
import { Turns } from '../runtime/turns/turns.ts';
import type { MakeSchedule } from '../schedule/schedule.ts';
import { CodeCache } from '../workers/code-cache.ts';
import { WorkerFollower } from '../workers/follow.ts';
import { Messages } from '../workers/messages.ts';
import { announcer } from './announcer.ts';
import { keepFunctionTexts } from './function-texts.ts';
import { modelsTell } from './lock-models.ts';
import { absentFile, type ProgramOptions } from './program-options.ts';
import type { SourceTransformer } from './source-transformer.ts';
import { keepStacks } from './stacks.ts';
import { warnOfUnusedGlobs } from './unused-globs.ts';

/** Starts the runtime in the program's process, and leaves no trace of how that came about. */
export function startProgram(
  program: ProgramOptions,
  transformer: SourceTransformer,
  schedule: MakeSchedule | null,
): void {
  keepStacks();
  const { spool, live, meant = { files: [], only: [], exclude: [] } } = program;
  const announced = live ? { labels: new Set<string>(), meant } : null;
  const turns = program.turns === undefined ? null : new Turns(program.turns);
  const runtime = startRuntime({
    spool,
    schedule,
    turns,
    ...(announced ? { onViolation: announcer(announced) } : {}),
  });
  modelsTell(runtime.recorder);
  const { aside, files } = runtime;
  keepFunctionTexts({ names: files, cwd: program.cwd, transformer, text: null, aside });
  const messages = new Messages(runtime);
  messages.patch();
  const cache = new CodeCache(spool);
  const prepare = (file: string) => runtime.aside(() => cache.prepare(file, transformer));
  const follower = new WorkerFollower({ runtime, messages, program, transformer, announced, prepare });
  follower.patch();
  if (turns !== null) process.on('beforeExit', () => turns.idle());
  process.on('exit', () => {
    runtime.finish();
    if (turns !== null) writeFileSync(turnsFile(spool), JSON.stringify(turns.outcome));
    if (runtime.recorder.isolate !== null) {
      follower.finish();
      return;
    }
    writeFileSync(absentFile(spool), JSON.stringify(runtime.absentVariables()));
    warnOfUnusedGlobs(program, runtime.files());
  });
}
