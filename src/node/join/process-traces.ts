import type { TraceSection } from '../../formats/format.ts';
import { TraceReader } from '../../formats/read.ts';
import { evidenceIn, type StoreEvidence } from '../../trace/evidence.ts';
import {
  decodeFacts,
  decodeProgram,
  FACTS_SECTION,
  FACTS_VERSION,
  type ProcessMeeting,
  type VariableFacts,
} from '../../trace/facts.ts';
import { Op } from '../../trace/operation.ts';
import { InputProblem } from '../../trace/problem.ts';
import { ServiceCalls } from './service-calls.ts';
import type { Evidence, Meeting, OpenBlock, Step, StepAccess, StoreVariable } from './steps.ts';

/** The trace of one process of several. */
export interface ProcessTrace {
  readonly path: string;
  /** What its tasks and variables are called by; empty for what needs no such name. */
  readonly name: string;
}

/** The name of something that only one process has. */
export function ownName(process: string, name: string): string {
  return process === '' ? name : `${process}: ${name}`;
}

/** A process may have been killed: its trace is taken as far as it goes. */
export const LENIENT = { lenient: true };

const KINDS: ReadonlyMap<number, StepAccess['kind']> = new Map([
  [Op.read, 'read'],
  [Op.write, 'write'],
  [Op.update, 'update'],
]);

/** What identifies something in a store, whichever process speaks of it. */
export function identityOf(store: string, name: string): string {
  return `${store}\n${baseName(store, name)}`;
}

/** A process puts the store in front of what is called as something in another store. */
export function baseName(store: string, name: string): string {
  return name.startsWith(`${store} `) ? name.slice(store.length + 1) : name;
}

/** Reads the evidence of all processes, and tells whose traces are cut. */
export async function readEvidence(
  traces: readonly ProcessTrace[],
): Promise<{ evidence: Evidence; calls: ServiceCalls; cut: ProcessTrace[] }> {
  const reading = new EvidenceReading();
  const steps: Step[][] = [];
  for (const [process, trace] of traces.entries()) steps.push(await reading.read(process, trace));
  const evidence = {
    processes: traces.length,
    variables: reading.variables,
    steps,
    meetings: reading.meetings(),
  };
  const { calls } = reading;
  return { evidence, calls, cut: traces.filter((_, process) => reading.cut.has(process)) };
}

class EvidenceReading {
  readonly variables: StoreVariable[] = [];
  readonly cut = new Set<number>();
  readonly calls = new ServiceCalls();
  readonly #ids = new Map<string, number>();
  readonly #met: { process: number; meeting: ProcessMeeting }[] = [];

  async read(process: number, { path }: ProcessTrace): Promise<Step[]> {
    const known = new Map<string, Partial<VariableFacts>>();
    const noted = new Map<number, StoreEvidence>();
    const steps = new Map<number, Step>();
    const open = new Map<number, OpenBlock | null>();
    let isProgram = false;
    const onSection = (section: TraceSection) => {
      const program = decodeProgram(section);
      isProgram ||= program !== null;
      for (const meeting of program?.meetings ?? []) this.#met.push({ process, meeting });
      if (section.name !== FACTS_SECTION || section.version !== FACTS_VERSION) return;
      for (const fact of decodeFacts(section.bytes)) {
        if (fact[0] === 'variable') known.set(fact[1], { ...known.get(fact[1]), ...fact[2] });
        else if (fact[0] === 'evidence')
          for (const [event, evidence] of evidenceIn(fact[1])) noted.set(event, evidence);
        else if (fact[0] === 'task') this.calls.noteTask(process, fact[1], fact[2]);
      }
    };
    const reader = await TraceReader.open(path, { ...LENIENT, onSection });
    const { names } = reader;
    let events = 0;
    for await (const batch of reader.batches()) {
      events += batch.length;
      for (let i = 0; i < batch.length; i++) {
        const op = batch.op[i];
        const thread = batch.thread[i];
        const event = batch.firstEvent + i;
        if (op === Op.begin) {
          const label = names.labels.text(batch.operand[i]);
          open.set(thread, { label, begin: event, outer: open.get(thread) ?? null });
        } else if (op === Op.end) open.set(thread, open.get(thread)?.outer ?? null);
        else if (op === Op.join)
          this.calls.noteJoin(process, names.threads.text(thread), names.threads.text(batch.operand[i]));
        else if (op === Op.send) this.calls.noteSent(names.locks.text(batch.operand[i]));
        const evidence = noted.get(event);
        if (evidence === undefined) continue;
        noted.delete(event);
        const kind = KINDS.get(op);
        const name = names.variables.text(batch.operand[i]);
        const facts = known.get(name);
        if (kind === undefined || typeof facts?.store !== 'string') continue;
        const { step: number, connection, sent, seen, wrote, version } = evidence;
        const step = steps.get(number) ?? { process, number, connection, sent, accesses: [] };
        steps.set(number, step);
        step.accesses.push({
          variable: this.#variable(facts.store, name, facts),
          event,
          thread: names.threads.text(thread),
          block: open.get(thread) ?? null,
          kind,
          seen,
          wrote,
          version,
        });
      }
    }
    if (reader.repaired > 0) this.cut.add(process);
    // One that was killed at once has nothing to say.
    if (!isProgram && events > 0)
      throw new InputProblem('this is not the trace of a program that Trackside has run', {
        file: path,
        expected: 'a trace that trackside record -o run.trk has written',
      });
    return [...steps.values()].sort((a, b) => a.number - b.number);
  }

  #variable(store: string, name: string, { within, kind }: Partial<VariableFacts>): number {
    const identity = identityOf(store, name);
    let id = this.#ids.get(identity);
    if (id === undefined) {
      const base = baseName(store, name);
      const whole = typeof within === 'string' ? nameOfWhole(base, within) : null;
      const isExpiry = kind === 'field' && base.endsWith(' ttl');
      id = this.variables.push({ store, name: base, within: whole, isExpiry }) - 1;
      this.#ids.set(identity, id);
    }
    return id;
  }

  meetings(): Meeting[] {
    const causes = new Map<string, Meeting['cause'] | null>();
    for (const { process, meeting } of this.#met)
      if (meeting.kind === 'cause') {
        // Of what was said twice, the first time counts, if one process has said it.
        const known = causes.get(meeting.id);
        const isNews = known === undefined || (known?.process === process && first(meeting.step, known.step));
        if (isNews) causes.set(meeting.id, { process, step: meeting.step });
        else if (known?.process !== process) causes.set(meeting.id, null);
      }
    return this.#met.flatMap(({ process, meeting: { id, kind, step } }) => {
      const cause = kind === 'effect' ? causes.get(id) : undefined;
      return cause === undefined || cause === null ? [] : [{ cause, effect: { process, step } }];
    });
  }
}

/** Whether the one step comes first; null is the end of the process. */
function first(one: number | null, other: number | null): boolean {
  return one !== null && (other === null || one < other);
}

/** `accounts#1` for `accounts#1.balance`, of which `within` is `#1`. */
function nameOfWhole(name: string, within: string): string | null {
  const at = name.indexOf(within);
  return at < 0 ? null : name.slice(0, at + within.length);
}
