// A trace in the manner of programs, as a hold-out for what is tuned on noise and on short runs: methods are fixed sequences of
// sites, some of them in loops; many sites call a method that is not more than one access, so that a third of the events begin and end
// blocks; a thread runs for a while before another does; objects come, are hot for some time, and are seldom looked at again. Names
// are those of objects and their fields or elements, such as `V3.12345[2]`.
import { closeSync, openSync, writeSync } from 'node:fs';

const THREADS = 8;
const LOCKS = 24;
const METHODS = 120;
const CLASSES = 12;
/** Objects that a thread has at hand. */
const HAND = 48;

export function writeProgramTrace(path, events) {
  const file = openSync(path, 'w');
  let text = '';
  let written = 0;
  const random = randomNumbers(1);
  const below = (limit) => Math.floor(random() * limit);
  const emit = (thread, operation, operand, place) => {
    text += `T${thread}|${operation}(${operand})|${place}\n`;
    written++;
    if (text.length > 1 << 16) {
      writeSync(file, text);
      text = '';
    }
  };

  // A site: which operation on which field, or on the element that the loop has come to.
  let places = 1;
  const methods = Array.from({ length: METHODS }, () => ({
    isLoop: random() < 0.15,
    sites: Array.from({ length: 3 + below(14) }, () => ({
      operation: random() < 0.28 ? 'w' : 'r',
      field: below(6),
      isElement: random() < 0.5,
      isOther: random() < 0.25,
      isCall: random() < 0.2,
      place: places++,
    })),
  }));
  const popular = (limit) => Math.floor(limit * random() ** 3);

  // Those guarded by the locks, and those that only one thread has.
  const regions = Array.from({ length: LOCKS + THREADS }, () => ({ objects: [], hand: [] }));
  let made = 0;
  const objectOf = (region) => {
    const { objects, hand } = region;
    const choice = random();
    if (choice < 0.06 || objects.length === 0)
      objects.push({ name: `V${made % CLASSES}.${made++}`, length: 4 + below(60) });
    else if (choice < 0.8 && hand.length > 0) return hand[popular(hand.length)];
    const object = choice < 0.06 ? objects.at(-1) : objects[objects.length - 1 - popular(objects.length)];
    hand.unshift(object);
    if (hand.length > HAND) hand.pop();
    return object;
  };

  function* method(thread, region) {
    const { isLoop, sites } = methods[popular(METHODS)];
    const [own, other] = [objectOf(region), objectOf(region)];
    const rounds = isLoop ? own.length : 1;
    for (let i = 0; i < rounds; i++) {
      for (const { operation, field, isElement, isOther, isCall, place } of sites) {
        const object = isOther ? other : own;
        if (isCall) emit(thread, 'begin', `Getters.get${place}`, place);
        emit(
          thread,
          operation,
          `${object.name}[${isElement && isLoop ? 6 + (i % object.length) : field}]`,
          place,
        );
        if (isCall) emit(thread, 'end', `Getters.get${place}`, place);
        yield;
      }
    }
  }

  const isHeld = new Array(LOCKS).fill(false);
  function* life(thread) {
    for (;;) {
      const label = popular(METHODS);
      emit(thread, 'begin', `Class${label % CLASSES}.method${label}`, places + label);
      const lock = below(LOCKS);
      const shares = random() < 0.4 && !isHeld[lock];
      if (shares) {
        isHeld[lock] = true;
        emit(thread, 'acq', `L${lock}`, places + METHODS + lock);
      }
      const region = regions[shares ? lock : LOCKS + thread];
      for (let calls = 1 + below(8); calls > 0; calls--) yield* method(thread, region);
      if (shares) {
        isHeld[lock] = false;
        emit(thread, 'rel', `L${lock}`, places + METHODS + lock);
      }
      emit(thread, 'end', `Class${label % CLASSES}.method${label}`, places + label);
      yield written < events;
    }
  }

  for (let thread = 1; thread < THREADS; thread++) emit(0, 'fork', `T${thread}`, 0);
  let alive = Array.from({ length: THREADS }, (_, thread) => life(thread));
  while (alive.length > 0) {
    const turn = alive[below(alive.length)];
    for (let steps = 1 + Math.floor(-60 * Math.log(random())); steps > 0; steps--) {
      if (turn.next().value !== false) continue;
      alive = alive.filter((other) => other !== turn);
      break;
    }
  }
  for (let thread = 1; thread < THREADS; thread++) emit(0, 'join', `T${thread}`, 0);
  writeSync(file, text);
  closeSync(file);
}

/** Numbers from 0 to 1, the same in every run (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
