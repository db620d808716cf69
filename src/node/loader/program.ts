import { writeFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { type Runtime, startRuntime } from '../runtime/index.ts';
import type { MakeSchedule } from '../schedule/schedule.ts';
import { answerWhenAsked } from '../workers/asking.ts';
import { CodeCache } from '../workers/code-cache.ts';
import { WorkerFollower } from '../workers/follow.ts';
import { Messages } from '../workers/messages.ts';
import { Region } from '../workers/region.ts';
import { showOwnThreadId } from '../workers/thread-ids.ts';
import type { WorkerStart } from '../workers/worker-start.ts';
import { announcer } from './announcer.ts';
import { modelsTell } from './lock-models.ts';
import { absentFile, type ProgramOptions } from './program-options.ts';
import type { SourceTransformer } from './source-transformer.ts';
import { keepStacks } from './stacks.ts';

/** Starts the runtime in the program's process, and leaves no trace of how that came about. */
export function startProgram(
  program: ProgramOptions,
  transformer: SourceTransformer,
  schedule: MakeSchedule | null,
): void {
  hideOurselves();
  const { spool, live, meant = { files: [], only: [], exclude: [] } } = program;
  const announced = live ? { labels: new Set<string>(), meant } : null;
  const runtime = startRuntime({
    spool,
    schedule,
    ...(announced ? { onViolation: announcer(announced) } : {}),
  });
  modelsTell(runtime.recorder);
  const messages = new Messages(runtime);
  messages.patch();
  const cache = new CodeCache(spool);
  const prepare = (file: string) => runtime.aside(() => cache.prepare(file, transformer));
  const follower = new WorkerFollower({ runtime, messages, program, announced, prepare });
  follower.patch();
  process.on('exit', () => {
    runtime.finish();
    if (runtime.recorder.isolate !== null) follower.finish();
    else writeFileSync(absentFile(spool), JSON.stringify(runtime.absentVariables()));
  });
}

/** Starts the runtime in a worker of the program. */
export function startWorker(start: WorkerStart, schedule: MakeSchedule | null): Runtime {
  const { region, index, name, program, sharedState } = start;
  hideOurselves();
  const isExact = program.order === 'exact';
  const place = { region: new Region(region), index, isExact, name, sharedState };
  const runtime = startRuntime({ worker: place, schedule });
  modelsTell(runtime.recorder);
  answerWhenAsked(runtime.recorder.isolate!);
  showOwnThreadId(start.number);
  const messages = new Messages(runtime);
  messages.patch();
  messages.followParent(name, start.channel);
  messages.arrivedIn(workerData, start.ports);
  new WorkerFollower({ runtime, messages, program, announced: null, prepare: () => {} }).patch();
  return runtime;
}

function hideOurselves(): void {
  // Stacks show the positions of the original sources.
  process.setSourceMapsEnabled(true);
  keepStacks();
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
