import { createRequire } from 'node:module';
import { type MessagePort, workerData } from 'node:worker_threads';
import { planOf } from './planning.ts';

/*
 * The thread in which statements are parsed: the parser is PostgreSQL's own, as WebAssembly, which takes a while to load, and
 * can be loaded only by waiting for it. Programs do not wait: whoever asks sleeps until there is an answer.
 */

export interface ParserData {
  readonly port: MessagePort;
  /** Its only word becomes 1 when an answer is there. */
  readonly bell: Int32Array;
}

export interface Question {
  readonly text: string;
  readonly isSqlite: boolean;
}

interface PgQuery {
  loadModule(): Promise<void>;
  parseSync(text: string): unknown;
}

export async function runParserThread({ port, bell }: ParserData): Promise<void> {
  const { loadModule, parseSync } = createRequire(import.meta.url)('libpg-query') as PgQuery;
  await loadModule();
  port.on('message', ({ text, isSqlite }: Question) => {
    let answer: unknown = null;
    try {
      answer = planOf(text, isSqlite ? 'sqlite' : 'postgresql', parseSync);
    } finally {
      port.postMessage(answer);
      Atomics.store(bell, 0, 1);
      Atomics.notify(bell, 0);
    }
  });
}

if (workerData?.bell !== undefined) void runParserThread(workerData);
