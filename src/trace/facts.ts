/*
 * What is known of a trace beyond its events: of the places in the program, of its tasks and variables, and of single events.
 * Whoever records a program writes it, the judgement reads it (docs/explanation/judgement.md). In a `.trk` file it is in sections, as JSON.
 */

import type { FileFacts } from './site-facts.ts';

/** The name of the sections of a `.trk` file that hold facts, and their version. */
export const FACTS_SECTION = 'facts';
export const FACTS_VERSION = 1;

/** The name of the sections that hold what is known of the code of a Java program. */
export const JAVA_SECTION = 'java.code';

/** The name of the sections that say what a trace is of: a program that Trackside has run. */
export const PROGRAM_SECTION = 'program';

/** What holds for the trace of a program as a whole; sections add up. */
export interface ProgramFacts {
  /** How it is to be checked unless somebody says otherwise. */
  forkJoin?: 'family';
  /** Packages that keep data elsewhere, were loaded and are not followed: nobody knows what was done there. */
  unfollowed?: readonly string[];
  /** Drivers that were loaded and would be followed, had nobody said that they should not. */
  switchedOff?: readonly string[];
  /** Statements of which nobody knows what they do. */
  notUnderstood?: readonly UnknownStatement[];
  /** Labels of blocks that are not in the trace, as nobody can have come into them, and how many there were of each. */
  unmet?: readonly (readonly [label: string, count: number])[];
  /** What orders this process and others; see `trace/evidence.ts`. */
  meetings?: readonly ProcessMeeting[];
  /** Sources that it was built from and that are in no file, or in one that has changed since: paths and texts. */
  sources?: readonly (readonly [path: string, text: string])[];
}

/**
 * Something that another process comes after or before: it was started or has ended, or there was a message. Steps before the one of
 * a `cause` come before those behind its `effect`.
 */
export interface ProcessMeeting {
  /** The same for a cause and its effect. */
  id: string;
  kind: 'cause' | 'effect';
  /** The step of this process that it is; null for an effect that is the start of the process, or a cause that is its end. */
  step: number | null;
}

/** A kind of store that is followed. */
export type Store = 'postgresql' | 'sqlite' | 'redis' | 'mongodb';

export interface UnknownStatement {
  store: Store;
  /** In one short line, without constants. */
  statement: string;
}

/** What is known of one event, as bits. */
export const EventFlag = {
  /** A write that has left the value as it was. */
  same: 1,
  /** Its task was woken by the one that has left the variable so, to go on with it (direct hand-off). */
  handOff: 2,
  /** It puts down what came of a promise that several waited for, or clears up after it (single-flight). */
  sharedResult: 4,
  /** It says that something has failed, right where that was noticed. */
  failure: 8,
  /** A write that whoever keeps the value makes only if that is as it was: compare-and-swap, `WHERE version = 7`, `SETNX`. */
  guarded: 16,
  /** An update in one step, of which nobody knows the old value: `SET n = n + 1`, `INCR`. */
  commutes: 32,
  /** What is read is locked until its task is done with it: `SELECT … FOR UPDATE`. */
  locked: 64,
  /** Of a write: the end of one that takes its time, in which there is only a part of it there: a file. Reads are never that. */
  completes: 64,
  /** Of a read: whether there is something, not what. Only updates are in one step. */
  presence: 32,
  /** A write that came to nothing, as the store allows only one such value: nobody's work is lost. */
  refused: 128,
  /** What was read came with something else, and the program has never looked at it: a column of `SELECT *`. */
  unseen: 256,
  /** A read by a write that did nothing, as the condition that came with it did not hold: `WHERE version = 7`. */
  rechecked: 512,
  /** A write that takes something away, or leaves nothing in it, whatever it was: a file. */
  removes: 4096,
  /** A change of which rows a condition is true of, by a write of which nobody knows whether it was true of them before. */
  perhaps: 1024,
  /** A read by the very statement that writes: a subquery. */
  part: 2048,
  /** Nobody knows whether what others have read, or changed, was before it: the store did both at about the same time. */
  amongReads: 8192,
  amongChanges: 16384,
  /** A write of something else than what its task was given and has not looked at: it cannot come from there. */
  apart: 32768,
  /** Of a begin: the call has given up control before anything happened in it. */
  late: 4096,
} as const;

/** How a task came to be. */
export type TaskKind =
  | 'main'
  | 'call'
  | 'callback'
  | 'timeout'
  | 'interval'
  | 'immediate'
  | 'tick'
  | 'reaction'
  /** Stands for all callbacks of an activation. */
  | 'background'
  | 'message'
  | 'reaper'
  /** Stands for what another process is asked for. */
  | 'request'
  | 'other';

export interface TaskFacts {
  kind: TaskKind;
  /** Of a request: what its call is known by in the other process. */
  call?: string;
  /** The call of another process that it works for. */
  adoptedBy?: string;
}

export interface VariableFacts {
  /** `property`, `private`, `binding`, `entry`, `element`, `size`, `keys`, `file`, `memory`; stores have words of their own. */
  kind: string;
  /** For a size: it is the length of a list. */
  list?: true;
  /** Nothing was in it before it was first written. */
  absent?: true;
  /** For a variable of a function: the block in whose call it came to be, by its thread and the number of its begin there. */
  owner?: { thread: string; begin: number };
  /** For what is in a store: which one, the same in all processes that use it. */
  store?: string;
  /** For a part of something in a store, such as a column of a row: the end of the name of that. */
  within?: string;
}

/** Of a file that was built from others: the sources, and which of them each site is in; -1 for the file itself. */
export interface PlacesInSources {
  readonly paths: readonly string[];
  readonly of: readonly number[];
}

export interface FactsOfFile {
  readonly places: readonly number[];
  readonly facts: FileFacts;
  readonly sources?: PlacesInSources | undefined;
}

/** A block, by its thread and the number of its begin there. */
export interface BlockName {
  thread: string;
  begin: number;
}

export type FactRecord =
  | readonly ['program', ProgramFacts]
  /** `places` holds line and column of each site; a column of 0 stands for any on that line. The rest is `FileFacts` as JSON. */
  | readonly ['file', path: string, places: readonly number[], facts: string, sources?: PlacesInSources]
  /** Of a line of the program: a statement that it sends to a database, in one short line without constants. */
  | readonly ['statement', location: string, text: string]
  | readonly ['task', name: string, facts: TaskFacts]
  | readonly ['variable', name: string, facts: Partial<VariableFacts>]
  /** Numbers of events, each followed by its flags. */
  | readonly ['events', flags: readonly number[]]
  /**
   * What the first block, or its whole task if the number is 0, has read was for the second one, which asked for it at this location
   * and has waited for the answer.
   */
  | readonly ['served', by: BlockName, to: BlockName, location: string]
  /** What orders accesses to stores of several processes; see `trace/evidence.ts`. */
  | readonly ['evidence', entries: readonly (number | string)[]]
  /** Numbers of events, each followed by what was read or written, in a few characters. */
  | readonly ['values', values: readonly (number | string)[]];

export function encodeFacts(records: readonly FactRecord[]): Uint8Array {
  return Buffer.from(JSON.stringify(records));
}

export function encodeProgram(facts: ProgramFacts): Uint8Array {
  return Buffer.from(JSON.stringify(facts));
}

/** Null for a section of another kind, or one that is not to be understood. */
export function decodeProgram(section: {
  name: string;
  version: number;
  bytes: Uint8Array;
}): ProgramFacts | null {
  if (section.name !== PROGRAM_SECTION || section.version !== FACTS_VERSION) return null;
  try {
    const { bytes } = section;
    const facts: unknown = JSON.parse(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(),
    );
    return typeof facts === 'object' && facts !== null ? facts : null;
  } catch {
    return null;
  }
}

/** None of what is not to be understood. */
export function decodeFacts(bytes: Uint8Array): readonly FactRecord[] {
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    const facts: unknown = JSON.parse(text);
    return Array.isArray(facts) ? (facts as FactRecord[]) : [];
  } catch {
    return [];
  }
}

/** All facts of one trace. */
export class TraceFacts {
  readonly files = new Map<string, FactsOfFile>();
  readonly tasks = new Map<string, TaskFacts>();
  readonly variables = new Map<string, Partial<VariableFacts>>();
  readonly flags = new Map<number, number>();
  readonly values = new Map<number, string>();
  readonly served: { by: BlockName; to: BlockName; location: string }[] = [];
  /** By location; null if several statements are sent from there, so that nobody knows which it was. */
  readonly statements = new Map<string, string | null>();

  /** A section of another name or version says nothing to us. */
  addSection({ name, version, bytes }: { name: string; version: number; bytes: Uint8Array }): void {
    if (name === FACTS_SECTION && version === FACTS_VERSION)
      for (const record of decodeFacts(bytes)) this.add(record);
  }

  add(record: FactRecord): void {
    switch (record[0]) {
      case 'program':
      case 'evidence':
        return;
      case 'file':
        this.files.set(record[1], {
          places: record[2],
          facts: JSON.parse(record[3]) as FileFacts,
          sources: record[4],
        });
        return;
      case 'statement': {
        const known = this.statements.get(record[1]);
        this.statements.set(record[1], known === undefined || known === record[2] ? record[2] : null);
        return;
      }
      case 'served':
        this.served.push({ by: record[1], to: record[2], location: record[3] });
        return;
      case 'task':
        this.tasks.set(record[1], record[2]);
        return;
      case 'variable':
        this.variables.set(record[1], { ...this.variables.get(record[1]), ...record[2] });
        return;
      case 'values':
        for (let i = 0; i + 1 < record[1].length; i += 2)
          this.values.set(Number(record[1][i]), String(record[1][i + 1]));
        return;
      case 'events':
        for (let i = 0; i + 1 < record[1].length; i += 2)
          this.flags.set(record[1][i], (this.flags.get(record[1][i]) ?? 0) | record[1][i + 1]);
    }
  }
}
