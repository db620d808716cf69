import threads from 'node:worker_threads';
import type { Isolate } from '../isolates/isolate.ts';
import { ANSWERED, ASKED, type Region } from '../isolates/region.ts';

/** The program's own are replaced. */
const { add, load, wait } = Atomics;
const { BroadcastChannel } = threads;

/** Wakes isolates that have nothing to do, so that they see that they are asked. */
export const OWN_CHANNEL = 'trackside.flush';

/** An isolate that does not answer by then computes, and is not going to look soon. */
const PATIENCE_MS = 10;

/** Lets this isolate hear when another asks for what it holds back; keeps nothing alive. */
export function answerWhenAsked(isolate: Isolate): void {
  const channel = new BroadcastChannel(OWN_CHANNEL);
  channel.onmessage = () => {
    if (isolate.isAsked) isolate.flush();
  };
  (channel as unknown as { unref(): void }).unref();
}

/** Asks isolates that are about to be ended for what they hold back. */
export function askFor(region: Region, indexes: readonly number[]): void {
  const asked = indexes.filter((index) => region.isAlive(index)).map((index) => region.isolate(index));
  if (asked.length === 0) return;
  for (const words of asked) add(words, ASKED, 1);
  const channel = new BroadcastChannel(OWN_CHANNEL);
  channel.postMessage(null);
  channel.close();
  for (const words of asked) {
    const answered = load(words, ANSWERED);
    if (answered !== load(words, ASKED)) wait(words, ANSWERED, answered, PATIENCE_MS);
  }
}
