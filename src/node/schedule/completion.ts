import { addOwnPromise } from '../runtime/own-promises.ts';
import type { Entry } from './entry.ts';
import type { Point } from './point.ts';
import type { VirtualClock } from './virtual-clock.ts';

const { then } = Promise.prototype;

/** Settles as the promise does, but in its turn, that many milliseconds from now. */
export function inTurn<T>(
  clock: VirtualClock,
  promise: Promise<T>,
  after: number,
  { isFile, point, made }: { isFile: boolean; point: Point | null; made?: (entry: Entry) => void },
): Promise<T> {
  const result = new Promise<T>((resolve, reject) => {
    const entry = clock.add(after, () => {});
    entry.isFile = isFile;
    entry.point = point;
    made?.(entry);
    const come = (run: () => void) => {
      entry.run = run;
      clock.comeLater(entry);
    };
    const fail = (error: unknown) => {
      if (isFile) {
        come(() => reject(error));
        return;
      }
      // A timer is never late to be aborted.
      clock.cancel(entry);
      reject(error);
    };
    Reflect.apply(then, promise, [(value: T) => come(() => resolve(value)), fail]);
  });
  addOwnPromise(result);
  return result;
}
