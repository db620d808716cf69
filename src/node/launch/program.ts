import { writeFileSync } from 'node:fs';
import { InstrumentedCodeCache } from '../loader/code-cache.ts';
import { keepFunctionTexts } from '../loader/function-texts.ts';
import { modelsTell } from '../loader/models.ts';
import type { ProgramOptions } from '../loader/program-options.ts';
import type { SourceTransformer } from '../loader/source-transformer.ts';
import { keepStacks } from '../loader/stacks.ts';
import { warnOfUnusedGlobs } from '../loader/unused-globs.ts';
import { startRuntime } from '../runtime/index.ts';
import type { MakeSchedule } from '../runtime/scheduling.ts';
import { turnsFile } from '../runtime/turns/options.ts';
import { Turns } from '../runtime/turns/turns.ts';
import { WorkerFollower } from '../workers/follow.ts';
import { Messages } from '../workers/messages.ts';
import { Children } from './children.ts';
import { HttpCalls } from './http-calls.ts';

/** Starts the runtime in the program's process, and leaves no trace of how that came about. */
export function startProgram(
  program: ProgramOptions,
  transformer: SourceTransformer,
  schedule: MakeSchedule | null,
): void {
  keepStacks();
  const { spool } = program;
  const turns = program.turns === undefined ? null : new Turns(program.turns);
  const runtime = startRuntime({
    spool,
    schedule,
    turns,
    values: program.values !== false,
    ...(program.violationsOnly === true ? {} : { leftOutFrom: Number.POSITIVE_INFINITY }),
    ...(program.keptFiles === undefined ? {} : { keptFiles: program.keptFiles }),
  });
  const { evidence } = runtime.recorder;
  if (program.evidence === true) evidence.turnOn();
  evidence.whenOn(() => new HttpCalls(runtime).follow());
  modelsTell(runtime, program.stores !== false);
  const { aside, files } = runtime;
  keepFunctionTexts({ names: files, cwd: program.cwd, transformer, text: null, aside });
  const messages = new Messages(runtime);
  messages.patch();
  const cache = new InstrumentedCodeCache(spool);
  const prepare = (file: string) => runtime.aside(() => cache.prepare(file, transformer));
  const follower = new WorkerFollower({ runtime, messages, program, transformer, prepare });
  follower.patch();
  if (program.children === true) new Children(runtime, program, transformer).patch();
  if (turns !== null) process.on('beforeExit', () => turns.idle());
  process.on('exit', () => {
    runtime.finish();
    if (turns !== null) writeFileSync(turnsFile(spool), JSON.stringify(turns.outcome));
    if (runtime.recorder.tasks.isolate !== null) {
      follower.finish();
      return;
    }
    if (program.child === undefined) warnOfUnusedGlobs(program, runtime.files());
  });
}
