import { type Activation, CALLBACK, CONTINUING, isForgotten, PROMISING } from '../core/activation.ts';
import { isCalledBy, isPartOf, MOST_ANCESTORS, nearestOpen, outermost, starterOf } from '../core/ancestry.ts';
import type { Log } from '../core/log.ts';
import type { Task } from '../core/task.ts';
import type { VariableRecord } from '../core/variable.ts';
import { type Read, Readers } from './readers.ts';
import { UnnotedReads } from './unnoted-reads.ts';

/*
 * Who has read a variable and may still act upon that. An update commutes with others only as long as its block does not go
 * by what it read in an earlier segment.
 */

/** In place of the segment of a read: the block has acted upon it before anybody could come in between. */
const ACTED = -1;

/** What `Decoration` does, in a place of its own: there is a variable for every property, and a list for each would be felt. */
const noted = {
  of: (variable: VariableRecord) => variable.decoration as Readers | null,
  in(variable: VariableRecord): Readers {
    variable.decoration ??= new Readers();
    return variable.decoration as Readers;
  },
};

/** The same for whoever has to know of all reads. */
const readers = {
  of(variable: VariableRecord): Readers | null {
    if (variable.unnoted >= 0) unnoted?.noteAll(variable);
    return noted.of(variable);
  },
  in(variable: VariableRecord): Readers {
    if (variable.unnoted >= 0) unnoted?.noteAll(variable);
    return noted.in(variable);
  },
};

/** The reads in the log of the recording that is going on. */
let unnoted: UnnotedReads | null = null;

/** A recording begins: what is read is noted when somebody asks. */
export function noteReadsLate(log: Log, isMention: (site: number) => boolean): UnnotedReads {
  unnoted = new UnnotedReads(log, (variable, block, former, by, entry, segment, site, task) => {
    note(variable, former ?? block, by, entry, segment, isMention(site), former?.task ?? task);
    if (former !== null) noteReader(variable, block, by, entry, segment, task);
  });
  return unnoted;
}

/** What is in a variable, as far as that can be told: the same as long as nobody changes it, or all changes cancel out. */
export interface Seen {
  variable: VariableRecord;
  version: number;
  sum: number;
}

export function asItIs(variable: VariableRecord): Seen {
  const { version, sum } = readers.in(variable);
  return { variable, version, sum };
}

export function isAs({ variable, version, sum }: Seen): boolean {
  const known = readers.in(variable);
  return known.version === version && known.sum === sum;
}

// ---- What happens --------------------------------------------------------------------------------------------------

/**
 * An activation has read the variable: for its block, for the one that has started its task, and for those that led to that.
 * Whoever only mentions it goes by what it had read before.
 */
export function noteRead(
  variable: VariableRecord,
  activation: Activation,
  entry: number,
  segment: number,
  isMention: boolean,
): void {
  if (variable.unnoted >= 0) unnoted?.noteAll(variable);
  note(variable, outermost(activation), activation, entry, segment, isMention, activation.task);
}

function note(
  variable: VariableRecord,
  block: Activation,
  by: Activation,
  entry: number,
  segment: number,
  isMention: boolean,
  task: Task,
): void {
  // Whoever is over and the origin of nobody does nothing upon it any more.
  if (block.isBlock && mayAct(block) && !(isMention && isNotedFor(variable, block)))
    noteReader(variable, block, by, entry, segment, task);
  let around = starterOf(block);
  for (let i = 0; around !== null && i < MOST_ANCESTORS; i++, around = starterOf(around))
    if (around.isBlock && !(isMention && isNotedFor(variable, around)))
      noteReaderFor(variable, around, by, entry, segment, task);
}

function isNotedFor(variable: VariableRecord, block: Activation): boolean {
  const known = noted.of(variable);
  return known !== null && readIn(known, block) !== undefined;
}

/**
 * What a task reads where it has just added to it itself is the outcome of that, and no reason for the next change. What it has worked
 * out and put there may be one: `refill(); if (tokens < 1) await pause(); tokens -= 1`.
 */
function noteReader(
  variable: VariableRecord,
  block: Activation,
  by: Activation,
  entry: number,
  segment: number,
  task: Task,
): void {
  const known = noted.in(variable);
  const isReplaced = known.replacedAt === variable.changedAt;
  const isOutcome = variable.lastWriter === task && variable.changedIn === segment && !isReplaced;
  known.set(block, isOutcome ? ACTED : segment, by, entry);
}

/** The same for the block that has started the task; what that has read itself it knows for certain. */
function noteReaderFor(
  variable: VariableRecord,
  block: Activation,
  by: Activation,
  entry: number,
  segment: number,
  task: Task,
): void {
  const isOwn = noted.of(variable)?.of(block)?.by.task === block.task;
  if (!isOwn || !isCallOfItsOwn(task)) noteReader(variable, block, by, entry, segment, task);
}

/** An activation changes the variable, by this entry of the log. */
export function noteChange(
  variable: VariableRecord,
  activation: Activation,
  entry: number,
  segment: number,
  isUpdate: boolean,
): void {
  const known = readers.of(variable);
  variable.changedIn = segment;
  if (known === null) return;
  known.version++;
  if (!isUpdate) known.replacedAt = entry;
  if (known.isEmpty) return;
  const block = outermost(activation);
  noteWriter(known, block, segment, isUpdate);
  let around = starterOf(block);
  for (let i = 0; around !== null && i < MOST_ANCESTORS; i++, around = starterOf(around))
    noteWriter(known, around, segment, false);
}

/** What a block read in this segment has not become stale, and never will; if it only updates, nor has what it read before. */
function noteWriter(known: Readers, block: Activation, segment: number, isUpdate: boolean): void {
  const read = readIn(known, block);
  if (read === undefined) return;
  read.wasLeft = false;
  if (isUpdate || read.readIn === segment) read.readIn = ACTED;
}

/** To be asked before an update is recorded, for `afterUpdate`. */
export function beforeUpdate(variable: VariableRecord): { version: number; replacedAt: number } {
  return readers.of(variable) ?? UNREAD;
}

/**
 * An update was recorded. `by` is how much a number changes: whatever it is logged as, the variable then holds what it did,
 * and so much more. Without it, what was there before is gone.
 */
export function afterUpdate(
  variable: VariableRecord,
  by: number | undefined,
  version: number,
  replacedAt: number,
): void {
  const after = readers.of(variable);
  if (after === null) return;
  if (by === undefined) {
    after.replacedAt = variable.last;
    return;
  }
  after.version = version;
  after.replacedAt = replacedAt;
  after.sum += by;
}

/** The same once more in an epoch, if nobody has read it since. */
export function addAgain(variable: VariableRecord, by: number): boolean {
  if (variable.unnoted >= 0) return false;
  const known = noted.of(variable);
  if (known !== null) known.sum += by;
  return true;
}

/** Before anybody has read a variable. */
const UNREAD = { version: 0, replacedAt: -1 };

/** Something about what was read is going to change. */
export function noteReads(variable: VariableRecord): void {
  if (variable.unnoted >= 0) unnoted?.noteAll(variable);
}

/** An access was by a call that turned out to be a task of its own. */
export function relabelAccess(
  variable: VariableRecord,
  block: Activation,
  by: Activation,
  entry: number,
  segment: number,
  task: Task,
  isRead: boolean,
): void {
  if (isRead) {
    noteReader(variable, block, by, entry, segment, task);
    return;
  }
  variable.changedIn = segment;
  const known = readers.of(variable);
  if (known !== null) noteWriter(known, block, segment, false);
}

/** What the block has read is no reason for what it is going to do. */
export function settle(variable: VariableRecord, block: Activation): void {
  const read = readOf(variable, block);
  if (read === undefined) return;
  read.readIn = ACTED;
  read.wasLeft = true;
}

/** Whether what the block had read before its last look was left to it, by the task that has woken it. */
export function wasLeftTo(variable: VariableRecord, block: Activation): boolean {
  return readOf(variable, block)?.wasLeft === true;
}

// ---- Questions -----------------------------------------------------------------------------------------------------

/**
 * Whether the block may act upon what it read in an earlier segment; or one that has started this task and is still going
 * on, unless the last change was part of it as well. `by` is what the block adds, if it does, or NaN; then a block that has
 * changed something upon what it read is done with that, unless it is a store that adds (`isElsewhere`).
 */
export function isStale(
  variable: VariableRecord,
  activation: Activation,
  segment: number,
  by?: number,
  isElsewhere = false,
): boolean {
  if (!isWatched(variable)) return false;
  let block = outermost(activation);
  if (block.isBlock && isStaleFor(variable, block, segment, by ?? Number.NaN)) return true;
  for (let parent = nearestOpen(block.caller); parent !== null; parent = nearestOpen(block.caller)) {
    block = outermost(parent);
    if (block.isBlock && isStaleFor(variable, block, segment, by ?? Number.NaN))
      return (
        (by === undefined || isElsewhere || !isActedUpon(variable, block)) &&
        !isPartOf(variable.lastWriter, block)
      );
  }
  return false;
}

/**
 * Whether this block, or one that it was part of, may act upon what it read in an earlier segment, by adding so much. What
 * others have taken away since then may be added again: whoever waits for its turn takes what another one gives back.
 */
function isStaleFor(variable: VariableRecord, start: Activation, segment: number, by: number): boolean {
  for (let block: Activation | null = start; block !== null; block = block.origin) {
    const read = readOf(variable, block);
    if (read === undefined) continue;
    if (read.readIn === ACTED || read.readIn === segment) return false;
    const { sum, replacedAt } = readers.in(variable);
    const since = sum - read.sumThen;
    const isGivenBack = since * by < 0 && Math.abs(since) >= Math.abs(by);
    return !(isGivenBack && replacedAt < read.entry);
  }
  return false;
}

/**
 * Whether the block, or who has read it for that, has changed anything since; or at all, if it is a plain function, whose own
 * code is one step.
 */
function isActedUpon(variable: VariableRecord, block: Activation): boolean {
  const read = readOf(variable, block);
  if (read === undefined) return false;
  const { by, entry } = read;
  return by.changed > (by.kind === PROMISING ? -1 : entry) || block.changed > entry;
}

/** Whether what the block knows of it was found by a callback that this activation has registered, and is still so. */
export function isFoundFor(variable: VariableRecord, block: Activation, maker: Activation | null): boolean {
  const read = readOf(variable, block);
  if (read === undefined || read.by.kind !== CALLBACK || !isCalledBy(read.by, maker)) return false;
  const { sum, replacedAt } = readers.in(variable);
  return read.sumThen === sum && replacedAt < read.entry;
}

/** Whether it was this activation which read it last of all in the block. */
export function isReadBy(variable: VariableRecord, block: Activation, by: Activation): boolean {
  return readers.of(variable)?.of(block)?.by === by;
}

/** The entry in the log of the last read by the block; null if it has not read it. */
export function readAt(variable: VariableRecord, block: Activation): number | null {
  return readOf(variable, block)?.entry ?? null;
}

export function wasReadBy(variable: VariableRecord, block: Activation): boolean {
  return readOf(variable, block) !== undefined;
}

/** Whether the block has last read it before this entry of the log. */
export function wasReadBefore(variable: VariableRecord, block: Activation, entry: number): boolean {
  return (readOf(variable, block)?.entry ?? entry) < entry;
}

/** Whether a block that has read it may still act upon that. */
export function isWatched(variable: VariableRecord): boolean {
  const known = readers.of(variable);
  return known !== null && !known.isEmpty;
}

/** Keeps none of the readers alive that are over. */
export function forgetReaders(variable: VariableRecord): void {
  readers.of(variable)?.keep(mayAct);
}

/**
 * The same for a variable that is forgotten: whoever comes to it next finds another record. What calls have counted (`counted.ts`) may
 * lead to this one for long, and from there to calls and their tasks, and so to what those have counted.
 */
export function forgetAllReaders(variable: VariableRecord): void {
  noted.of(variable)?.keep(isNobody);
}

/** Undefined if the block has not read it, or nothing of that is left. */
function readOf(variable: VariableRecord, block: Activation): Read | undefined {
  const known = readers.of(variable);
  return known === null ? undefined : readIn(known, block);
}

function readIn(known: Readers, block: Activation): Read | undefined {
  const read = known.of(block);
  if (read === undefined || !hasReached(read.by.task, block)) return undefined;
  return isForgotten(read.by, read.entry) ? undefined : read;
}

/** Whether the task is that of a function that was called and not awaited at once; others are callbacks. */
function isCallOfItsOwn(task: Task): boolean {
  return task.root?.isCall === true && task.root.kind !== CONTINUING;
}

/** Whether what a task has found out can have come to the block: by a callback, or if somebody has waited for the call. */
function hasReached(task: Task, block: Activation): boolean {
  return task === block.task || !isCallOfItsOwn(task) || task.isJoined;
}

function mayAct(reader: Activation): boolean {
  return !reader.isOver || reader.isOrigin;
}

function isNobody(): boolean {
  return false;
}
