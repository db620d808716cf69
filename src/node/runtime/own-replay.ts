import { EventFlag } from '../../trace/facts.ts';
import { type AccessKind, Op } from '../../trace/operation.ts';
import { outermost } from '../core/ancestry.ts';
import { ADD, ALL, DOWN, FILL, IDLE, type OwnAccess, READ, SAME, UP, WRITE } from '../core/history.ts';
import { KEYS, type ObjectRecord, SIZE } from '../core/object-record.ts';
import { GONE_THROUGH, type OwnElements, type OwnRecord } from '../core/own-record.ts';
import type { DoneBy } from '../core/stretch.ts';
import type { VariableRecord } from '../core/variable.ts';
import { isGivenBack } from './counted.ts';
import { MOST_COPIED, MOST_KNOWN } from './ranges.ts';
import { NOTHING_KNOWN, type Recorder, type WriteFacts } from './recorder.ts';
import { afterUpdate, beforeUpdate, wasReadBy } from './staleness.ts';
import { kindOf } from './stamp.ts';
import { contentsOf, inObject, isPrivate, propertyKey } from './touch.ts';

/** As of a write that changes nothing. */
const IDLE_WRITE: WriteFacts = { flags: EventFlag.same, isIdle: true };

/** What was put off of an object happens now, in its record; it is logged at a place, if there is one. */
export function replay(
  recorder: Recorder,
  object: object,
  own: OwnRecord,
  record: ObjectRecord,
  doneBy: DoneBy,
): void {
  const again = new Replay(recorder, object, record, doneBy);
  record.wasGoneThrough = (own.is & GONE_THROUGH) !== 0;
  const all: number[] = [];
  for (const access of own.history.accesses) {
    if (access.kind === ALL) all.push(access.site);
    again.property(access);
  }
  for (const elements of inOrder(own.elements)) again.elements(elements);
  for (const site of all) again.rest(site);
}

function inOrder(elements: OwnElements | null): OwnElements[] {
  const all: OwnElements[] = [];
  for (let each = elements; each !== null; each = each.next) all.push(each);
  return all.reverse();
}

class Replay {
  readonly #recorder: Recorder;
  readonly #object: object;
  readonly #record: ObjectRecord;
  readonly #doneBy: DoneBy;

  constructor(recorder: Recorder, object: object, record: ObjectRecord, doneBy: DoneBy) {
    this.#recorder = recorder;
    this.#object = object;
    this.#record = record;
    this.#doneBy = doneBy;
  }

  property({ kind, key, site }: OwnAccess): void {
    if (kind === ALL) {
      if (key === undefined) this.#allProperties(site);
      else this.#access(this.#variable(key, site), Op.read, site);
      return;
    }
    const name = propertyKey(key);
    if (name === undefined) return;
    const variable = this.#variable(name, site);
    if (kind === READ) this.#access(variable, Op.read, site);
    else if (kind >= UP) this.#update(variable, kind, site);
    else {
      const isWatched = variable.lastTask !== null && variable.lastWriter === null;
      if (isWatched) variable.wasAbsent = kind === FILL || (kind === WRITE && !isPrivate(name));
      this.#access(variable, Op.write, site, this.#factsOf(variable, kind));
    }
  }

  #factsOf(variable: VariableRecord, kind: number): WriteFacts {
    if (kind === IDLE) return IDLE_WRITE;
    if (kind !== SAME) return NOTHING_KNOWN;
    const isIdle = variable.lastWriter === null && wasReadBy(variable, outermost(this.#doneBy.by));
    return { flags: EventFlag.same, isIdle };
  }

  elements(elements: OwnElements): void {
    const { from, to, kind, site, size } = elements;
    for (let i = from; i < to; i++) {
      if (!elements.has(i)) continue;
      const variable = this.#record.variable(size === 0 ? i : i * size, site);
      if (kind === READ) this.#access(variable, Op.read, site);
      else if (kind === WRITE) this.#access(variable, Op.write, site);
      else this.#update(variable, kind, site);
    }
  }

  /** What was accessed otherwise was read here as well. */
  rest(site: number): void {
    let count = 0;
    for (const variable of [...this.#record.known()]) {
      if (++count > MOST_KNOWN && Array.isArray(this.#object)) return;
      this.#access(variable, Op.read, site);
    }
  }

  #allProperties(site: number): void {
    this.#access(this.#record.variable(KEYS, site), Op.read, site);
    const keys = Object.keys(this.#object);
    if (keys.length > MOST_COPIED) return;
    for (const key of keys) {
      const name = propertyKey(key);
      if (name !== undefined) this.#access(this.#variable(name, site), Op.read, site);
    }
  }

  #variable(name: unknown, site: number): VariableRecord {
    const key = inObject(this.#object, name as PropertyKey);
    if (name === 'size') {
      const kind = kindOf(this.#object, this.#record);
      if (kind === 'map' || kind === 'set')
        return contentsOf(this.#object, this.#record).variable(SIZE, site);
    }
    return this.#record.variable(key, site);
  }

  #update(variable: VariableRecord, kind: number, site: number): void {
    const by = kind === UP ? 1 : kind === DOWN ? -1 : kind === ADD ? 0 : undefined;
    if (kind === UP || kind === DOWN)
      isGivenBack(this.#doneBy.by, variable, by as number, this.#doneBy.segment);
    const { version, replacedAt } = beforeUpdate(variable);
    this.#access(variable, Op.update, site);
    afterUpdate(variable, by, version, replacedAt);
  }

  #access(variable: VariableRecord, kind: AccessKind, site: number, known?: WriteFacts): void {
    this.#recorder.accessLate(this.#doneBy, variable, kind, site, known);
  }
}
