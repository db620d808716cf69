import { AsyncLocalStorage } from 'node:async_hooks';
import path from 'node:path';
import type { ProcessMeeting, UnknownStatement } from '../../trace/facts.ts';
import type { NameTables } from '../../trace/names.ts';
import type { Activation } from '../core/activation.ts';
import type { TraceSink } from '../core/trace-sink.ts';
import { Isolate, type IsolatePlace } from '../isolates/isolate.ts';
import { RingWriter } from '../isolates/ring.ts';
import { RingSink } from '../isolates/ring-sink.ts';
import type { BuiltSources, MarkerProbes, Probes } from '../probes.ts';
import { RUNTIME } from '../runtime-symbol.ts';
import { Patches } from '../support/patching.ts';
import { activationProbes } from './activations.ts';
import { bindingProbes } from './bindings.ts';
import { type Callee, callerPlace, noteBuilt } from './caller-place.ts';
import { patchCombinators } from './combinators.ts';
import { containerProbes } from './containers.ts';
import { continuationProbes } from './continuations.ts';
import { Drain } from './drain.ts';
import { Files } from './files.ts';
import { KeptFiles } from './kept-files.ts';
import { patchWebLocks } from './locks/models.ts';
import { markerProbes } from './marker-probes.ts';
import { hideFromDisplay } from './promise-display.ts';
import { patchPromisify } from './promisify.ts';
import { propertyProbes } from './properties.ts';
import { Recorder } from './recorder.ts';
import { followRequests } from './requests.ts';
import type { MakeSchedule, StoreSchedule } from './scheduling.ts';
import { patchAtomics } from './shared-memory/atomics.ts';
import { patchBuffers, patchTypedArrays } from './shared-memory/bulk.ts';
import { CallSites } from './shared-memory/call-sites.ts';
import { patchBufferNumbers, patchDataViews } from './shared-memory/data-views.ts';
import { sharedMemoryProbes } from './shared-memory/probes.ts';
import { SharedMemory } from './shared-memory/shared-memory.ts';
import { keepOut } from './shared-memory/views.ts';
import { OnlineCheck, type OnViolation } from './sinks/online.ts';
import { Spool } from './sinks/spool.ts';
import { Sites } from './sites.ts';
import { patchTimers } from './timers.ts';
import { Touch } from './touch.ts';
import { Alone } from './turns/alone.ts';
import { turnProbes } from './turns/probes.ts';
import type { Turns } from './turns/turns.ts';
import { Values } from './values.ts';
import { VariableNames } from './variable-names.ts';

export { type Exports, type LockModel, modelOf } from './locks/models.ts';
export type { LiveViolation, OnViolation } from './sinks/online.ts';

export interface RuntimeOptions {
  /** Where to keep what was in files before the program changes them. */
  keptFiles?: string;
  /** Whether what was read and written is recorded, where that is short and no secret. */
  values?: boolean;
  /** The `.trk` file to write the trace to. */
  spool?: string;
  /** Called when a block has been violated; without it nothing is checked while the program runs. */
  onViolation?: OnViolation;
  /**
   * How many milliseconds events may wait to be handed over, 250 by default; null for as long as there is
   * room.
   */
  longestWait?: number | null;
  /** After how many accesses of a segment those to its own objects are put off; for tests. */
  putOffFrom?: number;
  /** Whether reads have records only when somebody asks; for tests. */
  readsLate?: boolean;
  /**
   * From which entry of the log on tasks are left out that are part of no violation; infinite for those who look for more in the trace
   * than what was violated in this run.
   */
  leftOutFrom?: number;
  /** Who else is told what happens; after those who look for violations. */
  moreSinks?: (names: NameTables) => TraceSink[];
  /** How absolute paths are written in locations and names; by default relative to the working directory. */
  displayPath?: (absolute: string) => string;
  /** In which order tasks go on; as it comes, without. */
  schedule?: MakeSchedule | null;
  /** Which blocks take turns; none, without. */
  turns?: Turns | null;
  /** For a worker: where its trace goes, and what it is called. */
  worker?: IsolatePlace & {
    readonly name: string;
    /**
     * What the isolates know of the memory that they share: `SharedMemory.buffer` of the one that made the
     * worker.
     */
    readonly sharedState: SharedArrayBuffer;
  };
}

export interface Runtime {
  readonly probes: Probes & MarkerProbes;
  /** Which task is running: what the models of lock packages need. */
  readonly recorder: Recorder;
  readonly sharedMemory: SharedMemory;
  /** Says when the program gets what stores answer; null for at once. */
  readonly storeSchedule: StoreSchedule | null;
  /** The instrumented files that were loaded, as reports name them. */
  files(): string[];
  /** What is done to files meanwhile is not done by the program. */
  aside<T>(run: () => T): T;
  readonly touch: Touch;
  /** The program has loaded a package that keeps data elsewhere, and that is not followed. */
  noteUnfollowed(packageName: string): void;
  /** A driver that would be followed is not to be. */
  noteSwitchedOff(packageName: string): void;
  noteUnknownStatement(statement: UnknownStatement): void;
  /** Another process was started, has ended, or there was a message. */
  noteMeeting(meeting: ProcessMeeting): void;
  /** The program sends this to a database, from the place of this number. */
  noteStatement(site: number, text: string): void;
  /** A part of the program begins that a schedule treats as one by itself: a test. */
  beginPart(root: Activation, name: string): void;
  /** The current task writes a file by other means than `fs`; for models of packages. */
  fileWritten(path: unknown): void;
  /** The line of the program that is running, as a site; `text` is what stands there, if that is known. */
  callSite(text?: string): number;
  /** The same, but if no line of the program has led here without a break, that of `otherwise`. */
  programPlace(text: string, otherwise: number, hasReturned: boolean, callee?: Callee | null): ProgramPlace;
  /**
   * The program gets its first worker: from here on the trace goes to a ring, and not to the spool any
   * more.
   */
  connect(place: IsolatePlace): Isolate;
  /** Hands over all that has been recorded so far: it is in the spool, and checked, when this returns. */
  flush(): void;
  /** Hands over the rest and ends: nothing is recorded from here on. */
  finish(): void;
}

/** A line of the program that called something. */
export interface ProgramPlace {
  readonly site: number;
  /** Whether it did so itself, and no library for it. */
  readonly isDirect: boolean;
}

/** At most so many chunks of the log wait for a second task to come to variables that only one has touched. */
const WAITING_CHUNKS = 16;
/** So many wait in any case. */
const FEWEST_CHUNKS = 2;

/**
 * Events wait no longer than this: somebody may want to know of violations now, and a signal may end the
 * process.
 */
const LONGEST_WAIT_MS = 250;

/** So many times longer if answers of stores are on their way. */
const MOST_WAITS = 20;

/** Short runs have whole traces. */
const LEFT_OUT_FROM = 8192;

/** The program may replace its own ones. */
const { setInterval, clearInterval } = globalThis;

/**
 * Starts to record this process. There is one runtime a process, and the program's files find it by
 * `RUNTIME`.
 */
export function startRuntime(options: RuntimeOptions = {}): Runtime {
  const sites = new Sites();
  const names = new VariableNames(sites);
  const displayPath = options.displayPath ?? displayedPath;
  let isOver = false;
  const isPartial =
    options.worker === undefined && options.keptFiles === undefined && !options.turns && !options.schedule;

  const recorder = new Recorder({
    segmentEnded() {
      const { isolate, log, overlap } = recorder.tasks;
      if (isolate !== null && isolate.clock.pending > 0) handOver(0);
      else if (log.isLong(WAITING_CHUNKS)) handOver(WAITING_CHUNKS / 2);
      else if (overlap.isOn && log.isLong(FEWEST_CHUNKS)) {
        // What is left out is not to live longer than it has to.
        const keep = log.chunksFrom(overlap.oldest);
        if (log.isLong(keep + 1)) handOver(keep);
      }
    },
    isMention: (site) => sites.isMention(site),
    values: options.values === true ? new Values() : null,
    putOffFrom:
      options.keptFiles === undefined && !options.turns ? options.putOffFrom : Number.POSITIVE_INFINITY,
    // A schedule goes by what it finds in the log.
    readsLate: options.readsLate !== false && !options.schedule && options.keptFiles === undefined,
    leftOutFrom: isPartial ? (options.leftOutFrom ?? LEFT_OUT_FROM) : Number.POSITIVE_INFINITY,
  });
  const sinks: TraceSink[] = [];
  const drain = new Drain(recorder, sites, names, sinks, options.worker?.name);
  const spool = options.spool === undefined ? null : new Spool(options.spool, drain.names);
  if (spool !== null) sinks.push(spool);
  spool?.noteFact(['program', { forkJoin: 'family' }]);
  const { moreSinks } = options;
  if (options.onViolation !== undefined) sinks.push(new OnlineCheck(drain.names, options.onViolation));
  if (moreSinks !== undefined) sinks.push(...moreSinks(drain.names));

  recorder.tasks.isComplete = options.keptFiles !== undefined;
  const { alone = null } = options.turns ?? {};
  if (alone !== null) recorder.tasks.alone = new Alone(alone, (site) => sites.text(site));
  const schedule =
    options.schedule?.(options.worker?.index ?? 0, recorder, () => handOverUnlessAwaited()) ?? null;
  const handOver = (keep: number) => {
    schedule?.catchUp();
    // The program may go on after the end of the recording.
    if (isOver) recorder.tasks.log.handOver(0, () => {});
    else if (recorder.tasks.isolate !== null && keep === 0)
      recorder.tasks.isolate.settle(() => drain.drain(0));
    else drain.drain(keep);
    recorder.tasks.reads.clear();
    recorder.tasks.writes.clear();
    recorder.own.forgetRecent();
    recorder.abandoned.grow();
    recorder.abandonedCallbacks.grow();
  };
  const { longestWait = LONGEST_WAIT_MS } = options;
  let waits = 0;
  // Answers that are on their way have something to say of what is in the log, and so has who has not looked at them yet.
  const mayWait = () => ++waits < MOST_WAITS && !recorder.tasks.log.isLong(1);
  const handOverUnlessAwaited = () => {
    if (recorder.looks.isAwaited && mayWait()) return;
    waits = 0;
    handOver(0);
  };
  const whenever = () => {
    recorder.values?.refill();
    recorder.abandoned.grow();
    recorder.abandonedCallbacks.grow();
    if (recorder.tasks.log.length === 0) return;
    // In a schedule, when that is done must not depend on the clock on the wall, unless all else does.
    if (schedule !== null && !schedule.isForeign && !schedule.isIdle) return;
    if (recorder.unanswered > 0 && mayWait()) return;
    handOverUnlessAwaited();
  };
  const timer = longestWait === null ? undefined : setInterval(whenever, longestWait).unref();
  const connect = (place: IsolatePlace) => {
    const ring = new RingSink(new RingWriter(place.region, place.index), drain.names);
    sinks.splice(0, sinks.length, ring);
    keepOut(place.region.buffer);
    const isolate = new Isolate(place, recorder.tasks, () => handOver(0));
    recorder.tasks.isolate = isolate;
    recorder.tasks.overlap.stop();
    return { isolate, ring };
  };
  if (options.worker !== undefined) {
    const { isolate, ring } = connect(options.worker);
    // All that a worker does comes after it was made.
    isolate.settle(() => ring.mark(isolate.clock.take()));
    recorder.messages.beWorker();
  }

  const sharedMemory = new SharedMemory(recorder, sites, options.worker?.sharedState);
  names.nameShared = (variable) => sharedMemory.nameOf(variable);
  schedule?.follow(sharedMemory);
  const calls = new CallSites(sites, displayPath);
  const touch = new Touch(recorder, names, sharedMemory);
  const probes: Probes & MarkerProbes = {
    ...propertyProbes(touch),
    ...containerProbes(touch, calls),
    ...sharedMemoryProbes(sharedMemory, calls),
    ...bindingProbes(touch),
    ...activationProbes(recorder, sites, schedule?.points ?? null),
    ...continuationProbes(recorder, sites, schedule !== null),
    ...markerProbes(touch, sites, displayPath),
    ...turnProbes(options.turns ?? null, recorder, sites),
    file(file, places, texts, facts, mentions, built) {
      const sources = built === undefined ? null : (JSON.parse(built) as BuiltSources);
      const base = sites.add(file, places, texts, facts, mentions, sources);
      if (sources !== null) {
        noteBuilt(path.resolve(file));
        names.noteRenamed(sources.renamed);
      }
      recorder.tasks.reads.reserve(sites.count);
      recorder.tasks.writes.reserve(sites.count);
      recorder.own.reserve(sites.count);
      recorder.callbacks.enterMain();
      return base;
    },
    named: (renamed, name) => names.noteClass(renamed, name),
  };

  const patches = new Patches();
  patchCombinators(recorder, patches);
  patchPromisify(probes, sites, displayPath, patches);
  schedule?.patch(patches);
  patchTimers(recorder, patches);
  schedule?.patchLast(patches);
  patchWebLocks(recorder, patches);
  patchAtomics(sharedMemory, calls, patches);
  sharedMemory.whenActive(() => {
    patchTypedArrays(sharedMemory, calls, patches);
    patchDataViews(sharedMemory, calls, patches);
    patchBufferNumbers(sharedMemory, calls, patches);
    patchBuffers(sharedMemory, calls, patches);
  });
  const kept = options.keptFiles === undefined ? null : new KeptFiles(options.keptFiles);
  const files = new Files(touch, sites, displayPath, kept);
  files.patch(patches);
  if (recorder.tasks.context instanceof AsyncLocalStorage) hideFromDisplay();
  const unfollowRequests = followRequests(recorder.tasks.context, (message) =>
    recorder.evidence.callOf(message),
  );
  const finish = () => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    process.removeListener('exit', finish);
    patches.undo();
    unfollowRequests();
    if (recorder.tasks.isolate === null) drain.finish();
    else recorder.tasks.isolate.settle(() => drain.finish());
  };
  process.on('exit', finish);
  /** Those that are known, each with the line that it is sent from. */
  const statements = new Set<string>();
  Reflect.set(globalThis, RUNTIME, probes);
  return {
    probes,
    recorder,
    sharedMemory,
    storeSchedule: schedule?.stores ?? null,
    files: () => sites.files,
    aside: (run) => files.aside(run),
    touch,
    beginPart: (root, name) => schedule?.beginPart(root, name),
    noteUnfollowed: (name) => drain.noteFact(['program', { unfollowed: [name] }]),
    noteSwitchedOff: (name) => drain.noteFact(['program', { switchedOff: [name] }]),
    noteUnknownStatement: (statement) => drain.noteFact(['program', { notUnderstood: [statement] }]),
    noteMeeting(meeting) {
      if (!isOver) drain.noteFact(['program', { meetings: [meeting] }]);
    },
    noteStatement(site, text) {
      const location = sites.location(site);
      const id = `${location} ${text}`;
      if (location === null || statements.has(id)) return;
      statements.add(id);
      drain.noteFact(['statement', location, text]);
    },
    fileWritten: (path) => files.written(path),
    programPlace: (text, otherwise, hasReturned, callee = null) => {
      const place = callerPlace((file) => sites.hasFile(displayPath(file)), false, callee);
      const path = place === null ? '' : displayPath(place.path);
      return place === null || !sites.hasFile(path) || (place.isWaiting && hasReturned)
        ? { site: sites.lineSite(otherwise, text), isDirect: false }
        : { site: sites.find(path, place.line, 0, text), isDirect: place.isDirect };
    },
    callSite: (text = '') => {
      const place = callerPlace((file) => sites.hasFile(displayPath(file)));
      return place === null ? 0 : sites.find(displayPath(place.path), place.line, 0, text);
    },
    connect(place) {
      spool?.finish();
      sharedMemory.activate();
      return connect(place).isolate;
    },
    flush() {
      recorder.tasks.decideAll();
      handOver(0);
      if (!isOver) drain.flush();
    },
    finish,
  };
}

/** There are few files, and many who ask. */
const displayed = new Map<string, string>();
let displayedFrom = '';
const MOST_DISPLAYED = 1000;

/** Relative to the working directory if it is below, with slashes on every system. */
function displayedPath(absolute: string): string {
  const cwd = process.cwd();
  if (cwd !== displayedFrom || displayed.size >= MOST_DISPLAYED) displayed.clear();
  displayedFrom = cwd;
  let shown = displayed.get(absolute);
  if (shown === undefined) {
    shown = relativePath(cwd, absolute);
    displayed.set(absolute, shown);
  }
  return shown;
}

function relativePath(cwd: string, absolute: string): string {
  const relative = path.relative(cwd, absolute);
  const shown = relative.startsWith('..') || path.isAbsolute(relative) ? absolute : relative;
  return shown.split(path.sep).join('/');
}
