import path from 'node:path';
import type { Probes } from '../probes.ts';
import { RUNTIME } from '../runtime-symbol.ts';
import type { ScheduleOptions } from '../schedule/options.ts';
import { Schedule } from '../schedule/schedule.ts';
import { activationProbes } from './activations.ts';
import { bindingProbes } from './bindings.ts';
import { patchCombinators } from './combinators.ts';
import { containerProbes } from './containers.ts';
import { Drain, type TraceSink } from './drain.ts';
import { Files } from './files.ts';
import { patchWebLocks } from './locks/models.ts';
import { type MarkerProbes, markerProbes } from './marker-probes.ts';
import { Patches } from './patching.ts';
import { hideFromDisplay } from './promise-display.ts';
import { propertyProbes } from './properties.ts';
import { Recorder } from './recorder.ts';
import { OnlineCheck, type OnViolation } from './sinks/online.ts';
import { Spool } from './sinks/spool.ts';
import { SiteCache } from './site-cache.ts';
import { Sites } from './sites.ts';
import { patchTimers } from './timers.ts';
import { Touch } from './touch.ts';
import { VariableNames } from './variable-names.ts';

export { type Exports, type LockModel, modelOf } from './locks/models.ts';
export type { LiveViolation, OnViolation, SeenAccess } from './sinks/online.ts';
export type { StackFrame } from './stacks.ts';

export interface RuntimeOptions {
  /** The `.trk` file to write the trace to. */
  spool?: string;
  /** Called when a block has been violated; without it nothing is checked while the program runs. */
  onViolation?: OnViolation;
  /** How many milliseconds events may wait to be handed over, 250 by default; null for as long as there is room. */
  longestWait?: number | null;
  /** How absolute paths are written in locations and names; by default relative to the working directory. */
  displayPath?: (absolute: string) => string;
  /** In which order tasks go on; as it comes, without. */
  schedule?: ScheduleOptions | null;
}

export interface Runtime {
  readonly probes: Probes & MarkerProbes;
  /** Which task is running: what the models of lock packages need. */
  readonly recorder: Recorder;
  /** The variables in which there was nothing before they were first written, by name (`judge` asks for them). */
  absentVariables(): string[];
  /** Hands over all that has been recorded so far: it is in the spool, and checked, when this returns. */
  flush(): void;
  /** Hands over the rest and ends: nothing is recorded from here on. */
  finish(): void;
}

/** Chunks of the log that wait for a second task to come to variables that only one has touched. */
const WAITING_CHUNKS = 4;

/** Events wait no longer than this: somebody may want to know of violations now, and a signal may end the process. */
const LONGEST_WAIT_MS = 250;

/** The program may replace its own ones. */
const { setInterval, clearInterval } = globalThis;

/** Starts to record this process. There is one runtime a process, and the program's files find it by `RUNTIME`. */
export function startRuntime(options: RuntimeOptions = {}): Runtime {
  const sites = new Sites();
  const names = new VariableNames(sites);
  const reads = new SiteCache();
  const writes = new SiteCache();
  const displayPath = options.displayPath ?? displayedPath;
  let isOver = false;

  const recorder = new Recorder(() => {
    if (recorder.log.isLong(WAITING_CHUNKS)) handOver(WAITING_CHUNKS / 2);
  });
  const sinks: TraceSink[] = [];
  const drain = new Drain(recorder, sites, names, sinks);
  if (options.spool !== undefined) sinks.push(new Spool(options.spool, drain.names));
  if (options.onViolation !== undefined) sinks.push(new OnlineCheck(drain.names, sites, options.onViolation));

  const schedule = options.schedule ? new Schedule(options.schedule, recorder, () => handOver(0)) : null;
  const handOver = (keep: number) => {
    schedule?.catchUp();
    // The program may go on after the end of the recording.
    if (isOver) recorder.log.handOver(0, () => {});
    else drain.drain(keep);
    reads.clear();
    writes.clear();
  };
  const { longestWait = LONGEST_WAIT_MS } = options;
  const whenever = () => {
    if (recorder.log.length > 0 && (schedule === null || schedule.isForeign)) handOver(0);
  };
  const timer = longestWait === null ? undefined : setInterval(whenever, longestWait).unref();

  const touch = new Touch(recorder, names);
  const probes: Probes & MarkerProbes = {
    ...propertyProbes(touch, reads, writes),
    ...containerProbes(touch),
    ...bindingProbes(touch, reads, writes),
    ...activationProbes(recorder, sites, schedule?.points ?? null),
    ...markerProbes(touch, sites, displayPath),
    file(file, places, texts) {
      const base = sites.add(file, places, texts);
      reads.reserve(sites.count);
      writes.reserve(sites.count);
      recorder.enterMain();
      return base;
    },
  };

  const patches = new Patches();
  patchCombinators(recorder, patches);
  schedule?.patch(patches);
  patchTimers(recorder, patches);
  patchWebLocks(recorder, patches);
  const files = new Files(touch, sites, displayPath);
  files.patch(patches);
  recorder.fileWritten = (path) => files.written(path);
  hideFromDisplay();
  const finish = () => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    process.removeListener('exit', finish);
    patches.undo();
    drain.finish();
  };
  process.on('exit', finish);
  Reflect.set(globalThis, RUNTIME, probes);
  return {
    probes,
    recorder,
    absentVariables: () => [...drain.absent],
    flush() {
      recorder.decideAll();
      handOver(0);
    },
    finish,
  };
}

/** Relative to the working directory if it is below, with slashes on every system. */
function displayedPath(absolute: string): string {
  const relative = path.relative(process.cwd(), absolute);
  const shown = relative.startsWith('..') || path.isAbsolute(relative) ? absolute : relative;
  return shown.split(path.sep).join('/');
}
