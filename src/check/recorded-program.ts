import { firstBytes, isGzip } from '../formats/bytes.ts';
import type { TraceSection } from '../formats/format.ts';
import { TraceReader } from '../formats/read.ts';
import { trk } from '../formats/trk/index.ts';
import { ChunkKind, FRAME_BYTES, HEADER_BYTES } from '../formats/trk/layout.ts';
import { decodeProgram, JAVA_SECTION } from '../trace/facts.ts';
import { InputProblem } from '../trace/problem.ts';
import type { AnalysisResult, UnknownStatementsResult } from './result.ts';

/** Where a `.trk` file says of which kind its first chunk is. */
const FIRST_KIND = HEADER_BYTES + FRAME_BYTES;
const KINDS_OF_EVENTS: readonly number[] = [ChunkKind.events, ChunkKind.packed];

/** What a trace says about the program that it was recorded of. */
export class RecordedProgram {
  isProgram = false;
  readonly #unfollowed = new Set<string>();
  readonly #switchedOff = new Set<string>();
  /** Of blocks that are not in the trace: how many there were, by label. */
  readonly #unmet = new Map<string, number>();
  /** By the kind of store, in the order in which they came. */
  readonly #notUnderstood = new Map<string, Set<string>>();

  take(section: TraceSection): void {
    const facts = decodeProgram(section);
    if (facts === null) return;
    this.isProgram = true;
    for (const name of listed(facts.unfollowed)) this.#unfollowed.add(String(name));
    for (const name of listed(facts.switchedOff)) this.#switchedOff.add(String(name));
    for (const each of listed(facts.unmet)) {
      const [label, count = -1] = Array.isArray(each) ? each : [];
      if (typeof label !== 'string' || !Number.isSafeInteger(count) || count < 0) continue;
      this.#unmet.set(label, (this.#unmet.get(label) ?? 0) + count);
    }
    for (const { store, statement } of listed(facts.notUnderstood)) {
      const known = this.#notUnderstood.get(String(store)) ?? new Set();
      this.#notUnderstood.set(String(store), known.add(String(statement)));
    }
  }

  /** The result of a trace that was recorded before. */
  recorded(result: AnalysisResult): AnalysisResult {
    return { ...this.with(result), recorded: true };
  }

  /** The result, with what nobody has seen of the program; blocks that are not in the trace are checked, if they are meant. */
  with(result: AnalysisResult, isMeant: (label: string) => boolean = () => true): AnalysisResult {
    let unmet = 0;
    for (const [label, count] of this.#unmet) if (isMeant(label)) unmet += count;
    const unfollowed = [...this.#unfollowed].sort();
    const switchedOff = [...this.#switchedOff].sort();
    const notUnderstood: UnknownStatementsResult[] = [];
    for (const [store, statements] of this.#notUnderstood) {
      const [first] = statements;
      notUnderstood.push({ store, count: statements.size, first });
    }
    return {
      ...result,
      blocks: { ...result.blocks, checked: result.blocks.checked + unmet },
      ...(unfollowed.length === 0 ? {} : { unfollowed }),
      ...(switchedOff.length === 0 ? {} : { switchedOff }),
      ...(notUnderstood.length === 0 ? {} : { notUnderstood }),
    };
  }
}

/** A trace may come from anywhere, and hold anything in the place of a list. */
function listed<T>(list: readonly T[] | undefined): readonly T[] {
  return Array.isArray(list) ? list.filter((each) => each !== null) : [];
}

/** What Trackside has run to get a trace: it says so before its first event. Null for any other trace. */
export async function recordedLanguage(path: string, format: string): Promise<'javascript' | 'java' | null> {
  if (!mayHaveSections(path, format)) return null;
  const program = new RecordedProgram();
  let isJava = false;
  try {
    const reader = await TraceReader.open(path, {
      format,
      onSection: (section) => {
        program.take(section);
        isJava ||= section.name === JAVA_SECTION;
      },
    });
    for await (const _ of reader.batches()) break;
  } catch (error) {
    // Whoever reads it all says what is wrong with it.
    if (!(error instanceof InputProblem)) throw error;
  }
  return program.isProgram ? 'javascript' : isJava ? 'java' : null;
}

/** Whether anything can come before the first event: to make a decoder that finds nothing takes as long as to check a short trace. */
function mayHaveSections(path: string, format: string): boolean {
  if (format !== 'auto' && format !== trk.name) return false;
  const head = firstBytes(path, FIRST_KIND + 1);
  if (head === null || isGzip(head)) return true;
  return trk.detect(head, null) && !KINDS_OF_EVENTS.includes(head[FIRST_KIND]);
}
