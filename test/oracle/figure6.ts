import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';

/*
 * The rules of SideTrack's figure 6, letter for letter, for blocks that do not nest and locks that are not
 * re-entered. Beside each error stands the label of the block that is to blame; for an after-error, those of
 * all windows that the figure joins in V.
 */

type Clock = ReadonlyMap<string, number>;

const ZERO: Clock = new Map();

function joined(a: Clock, b: Clock): Clock {
  const both = new Map(a);
  for (const [t, time] of b) both.set(t, Math.max(time, both.get(t) ?? 0));
  return both;
}

function incremented(clock: Clock, t: string): Clock {
  return new Map(clock).set(t, (clock.get(t) ?? 0) + 1);
}

function isBefore(a: Clock, b: Clock): boolean {
  return [...a].every(([t, time]) => time <= (b.get(t) ?? 0));
}

/** The errors of a trace, as `after A`. */
export function figure6(events: readonly NamedEvent[]): Set<string> {
  const errors = new Set<string>();
  const C = new Map<string, Clock>();
  const V = new Map<string, { clock: Clock; label: string }[]>();
  const A = new Map<string, Clock>();
  const R = new Map<string, Clock>();
  const H = new Map<string, Set<string>>();
  const I = new Map<string, Set<string>>();
  const labels = new Map<string, string>();
  const clockOf = (t: string) => C.get(t) ?? incremented(ZERO, t);

  for (const { thread: t, op, operand } of events) {
    const now = clockOf(t);
    C.set(t, now);
    switch (op) {
      case Op.begin:
        H.set(t, new Set());
        I.set(t, new Set());
        labels.set(t, operand);
        break;
      case Op.end:
        H.delete(t);
        break;
      case Op.fork:
        C.set(operand, joined(now, clockOf(operand)));
        C.set(t, incremented(now, t));
        break;
      case Op.join:
        C.set(t, joined(now, clockOf(operand)));
        C.set(operand, incremented(clockOf(operand), operand));
        break;
      case Op.release:
        R.set(operand, now);
        C.set(t, incremented(now, t));
        break;
      case Op.acquire: {
        const released = R.get(operand) ?? ZERO;
        const windows = V.get(operand) ?? [];
        V.set(operand, windows);
        for (const { clock, label } of windows) if (!isBefore(clock, now)) errors.add(`after ${label}`);
        const own = H.get(t);
        if (own?.has(operand)) {
          if (I.get(t)!.has(operand)) errors.add(`before ${labels.get(t)}`);
          if (!isBefore(released, now)) errors.add(`in ${labels.get(t)}`);
          windows.push({ clock: now, label: labels.get(t)! });
        } else if (own !== undefined) {
          own.add(operand);
          if (!isBefore(A.get(operand) ?? ZERO, now)) I.get(t)!.add(operand);
        }
        A.set(operand, now);
        C.set(t, joined(now, released));
      }
    }
  }
  return errors;
}
