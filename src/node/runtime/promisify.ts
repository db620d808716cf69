import util from 'node:util';
import type { Probes } from '../probes.ts';
import { define, dressed, type Patches } from '../support/patching.ts';
import { callerPlace } from './caller-place.ts';
import type { Sites } from './sites.ts';

type PromisingProbes = Pick<Probes, 'enterPromising' | 'promised' | 'failed'>;

/**
 * What the program makes of a function with a callback by `util.promisify` is one that returns a promise: a block, by the name
 * of the function, that lasts until the callback is called.
 */
export function patchPromisify(
  { enterPromising, promised, failed }: PromisingProbes,
  sites: Sites,
  displayPath: (absolute: string) => string,
  patches: Patches,
): void {
  patches.replace(
    util,
    'promisify',
    (original) =>
      function promisify(this: unknown, ...values: unknown[]) {
        const made = Reflect.apply(original, this, values) as (...values: unknown[]) => unknown;
        const [callbackTaking] = values as [((...values: unknown[]) => unknown) | undefined];
        // Those with one of their own are Node's, which access nothing, or return what was made in another way.
        if (made === callbackTaking || Reflect.get(callbackTaking as object, util.promisify.custom) === made)
          return made;
        const place = callerPlace(() => true);
        const file = place === null ? '' : displayPath(place.path);
        if (place === null || !sites.hasFile(file)) return made;
        const label = made.name.replace(/^(?:bound )+/, '') || 'promisified';
        const site = sites.find(file, place.line, 0, label);
        const followed = function (this: unknown, ...args: unknown[]) {
          const token = enterPromising(site);
          try {
            return promised(token, Reflect.apply(made, this, args));
          } catch (error) {
            throw failed(token, error);
          }
        };
        Object.setPrototypeOf(followed, Object.getPrototypeOf(made));
        dressed(followed, made);
        // To make it once more gives the same.
        const itself = Object.getOwnPropertyDescriptor(made, util.promisify.custom);
        if (itself !== undefined) define(followed, util.promisify.custom, { ...itself, value: followed });
        return followed;
      },
  );
}
