import { Session } from 'node:inspector';
import { define } from '../../support/patching.ts';

/** Where the debugger's side of V8 finds the buffer in question. */
const PLACE = Symbol.for('trackside.memory');

/**
 * What tells the memory of a SharedArrayBuffer from every other, in all isolates of the process: a number that V8 gives it
 * and only shows to debuggers. Null if it cannot be found out.
 */
export function memoryIdentity(buffer: SharedArrayBuffer): number | null {
  let session: Session;
  try {
    session = new Session();
    session.connect();
  } catch {
    return null;
  }
  define(globalThis, PLACE, { value: buffer, configurable: true, enumerable: false });
  let id: number | null = null;
  try {
    // The answers come before `post` returns.
    session.post(
      'Runtime.evaluate',
      { expression: `globalThis[Symbol.for('${PLACE.description}')]`, objectGroup: 'trackside' },
      (_error, answer) => {
        const { objectId } = answer.result;
        if (objectId === undefined) return;
        session.post('Runtime.getProperties', { objectId, ownProperties: true }, (_problem, properties) => {
          const found = properties.internalProperties?.find(({ name }) => name === '[[ArrayBufferData]]');
          const value = found?.value?.value;
          if (typeof value === 'number') id = value;
          else if (typeof value === 'string') id = Number(value);
        });
      },
    );
    session.post('Runtime.releaseObjectGroup', { objectGroup: 'trackside' });
  } finally {
    Reflect.deleteProperty(globalThis, PLACE);
    session.disconnect();
  }
  return id;
}
