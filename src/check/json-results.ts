/*
 * Results as the JSON report writes them. All is as in result.ts, but for operations, which are one text there: `w(balance)`.
 */

import { operationText, parseOperation } from './operation-text.ts';
import type {
  AnalysisResult,
  CheckReport,
  ConfirmationResult,
  ConflictResult,
  EventResult,
  KnownViolation,
  OperationResult,
  RelatedResult,
  ViolationResult,
} from './result.ts';

type InJson<E extends EventResult> = Omit<E, keyof OperationResult> & { op: string };

/** A violation whose events are of another shape. */
interface ViolationOf<Events extends { step: object; event: object; related: object }>
  extends Omit<ViolationResult, 'cycle' | 'interference' | 'related' | 'confirmation'> {
  cycle: { from: Events['step']; to: Events['step'] }[];
  interference: { first: Events['event']; between: Events['event']; last: Events['event'] } | null;
  related: Events['related'][];
  confirmation?: Omit<ConfirmationResult, 'window'> & { window: readonly Events['event'][] };
}

export type JsonViolation = ViolationOf<{
  step: InJson<ConflictResult['from']>;
  event: InJson<EventResult>;
  related: InJson<RelatedResult>;
}>;

export interface JsonResult extends Omit<AnalysisResult, 'violations' | 'knownViolations'> {
  violations: JsonViolation[];
  knownViolations?: JsonViolation[];
}

export interface JsonReport extends Omit<CheckReport, 'results' | 'fixed'> {
  results: JsonResult[];
  fixed?: (Omit<KnownViolation, 'violation'> & { violation: JsonViolation })[];
}

/** As in the JSON report, with the members in the order in which it has always had them. */
export function jsonViolation(violation: ViolationResult): JsonViolation {
  return withEvents(violation, written) as JsonViolation;
}

export function jsonKnown(known: KnownViolation): NonNullable<JsonReport['fixed']>[number] {
  return { ...known, violation: jsonViolation(known.violation) };
}

/** The results of a JSON report that is as its schema says. */
export function resultsInJson(report: JsonReport): CheckReport {
  const { results, fixed, ...rest } = report;
  const violationOf = (violation: JsonViolation) => withEvents(violation, read) as ViolationResult;
  return {
    ...rest,
    results: results.map(({ knownViolations: known, ...result }) => ({
      ...result,
      ...(known === undefined ? {} : { knownViolations: known.map(violationOf) }),
      violations: result.violations.map(violationOf),
    })),
    ...(fixed === undefined
      ? {}
      : { fixed: fixed.map((known) => ({ ...known, violation: violationOf(known.violation) })) }),
  };
}

function written({ operand, kind, ...event }: EventResult): InJson<EventResult> {
  return { ...event, op: operationText({ op: event.op, operand, kind }) };
}

function read(event: InJson<EventResult>): EventResult {
  const operation = parseOperation(event.op);
  // The schema lets nothing else pass.
  if (operation === null) throw new Error(`not an operation: ${event.op}`);
  return { ...event, ...operation };
}

function withEvents<From extends object, To>(
  violation: ViolationOf<{ step: From; event: From; related: From }>,
  change: (event: From) => To,
): object {
  const { cycle, interference, related, confirmation } = violation;
  const changed = {
    ...violation,
    cycle: cycle.map(({ from, to }) => ({ from: change(from), to: change(to) })),
    interference: interference && {
      first: change(interference.first),
      between: change(interference.between),
      last: change(interference.last),
    },
    related: related.map(change),
  };
  if (confirmation === undefined) return changed;
  return { ...changed, confirmation: { ...confirmation, window: confirmation.window.map(change) } };
}
