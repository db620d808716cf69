import type { Activation } from '../../core/activation.ts';
import type { Probes } from '../../probes.ts';
import type { Recorder } from '../recorder.ts';
import type { Sites } from '../sites.ts';
import type { Turns } from './turns.ts';

type TurnProbes = Pick<Probes, 'turn' | 'turnOver' | 'inTurn'>;

/** Without turns the probes are in no file. */
export function turnProbes(turns: Turns | null, recorder: Recorder, sites: Sites): TurnProbes {
  return {
    turn(token, site) {
      if (turns === null || token === undefined) return undefined;
      return turns.begin(token, sites.text(site), token as Activation);
    },
    turnOver(token) {
      if (token !== undefined) turns?.end(token);
    },
    inTurn(site, body) {
      if (turns === null) return body();
      const key = {};
      const wait = turns.begin(key, sites.text(site), recorder.tasks.current);
      if (wait !== undefined) return ended(wait.then(body), () => turns.end(key)) as ReturnType<typeof body>;
      try {
        return ended(body(), () => turns.end(key));
      } catch (error) {
        turns.end(key);
        throw error;
      }
    },
  };
}

/** Calls `end` when the promise is settled; at once, if it is none. */
function ended<V>(value: V, end: () => void): V {
  if (value instanceof Promise) Promise.prototype.then.call(value, end, end);
  else end();
  return value;
}
