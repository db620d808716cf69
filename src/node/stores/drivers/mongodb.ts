import { AsyncLocalStorage } from 'node:async_hooks';
import { Module } from 'node:module';
import { sep } from 'node:path';
import { leaveOut } from '../../runtime/caller-place.ts';
import type { AskedOfStore } from '../../runtime/scheduling.ts';
import type { Caller, Ledger } from '../model/ledger.ts';
import { type Command, type DriverSession, MongoDatabase } from '../mongodb/database.ts';
import { type Document, isDocument } from '../mongodb/documents.ts';
import { answerOf } from '../mongodb/replies.ts';
import { type Exports, inTurn, type Method, patches, prototypeOf, safely } from './adapter.ts';

interface Client {
  readonly options?: { readonly hosts?: readonly unknown[] };
}

interface Operation {
  readonly commandName?: string;
  readonly ns?: { readonly collection?: string };
}

interface Connection {
  readonly address?: string;
}

/** For whom an operation is carried out, and on which servers. */
interface Asking {
  readonly caller: Caller;
  readonly hosts: string | null;
}

type Answered = (error: unknown, reply: unknown) => void;

/** Where the package has what all operations and all commands go through; it exports neither. */
const OPERATIONS = /[\\/]mongodb[\\/]lib[\\/]operations[\\/]execute_operation\.js$/;
const CONNECTIONS = /[\\/]mongodb[\\/]lib[\\/]cmap[\\/]connection\.js$/;

/**
 * Each operation is begun in the call by the program, and sends its commands when it has a connection. What is told by command
 * monitoring is seen there, too, and answers can be held back.
 */
export function mongodb(_exports: Exports, ledger: Ledger): Exports {
  const asking = new AsyncLocalStorage<Asking>();
  const databases = new Map<string, MongoDatabase>();
  const databaseAt = (store: string) => {
    const database = databases.get(store) ?? new MongoDatabase(ledger, store);
    databases.set(store, database);
    return database;
  };
  for (const [file, exports] of loaded(OPERATIONS)) {
    leaveOut(file.slice(0, file.lastIndexOf(`${sep}lib${sep}`) + 1));
    if (typeof exports.executeOperation !== 'function') continue;
    patches.replace(
      exports,
      'executeOperation',
      (original) =>
        function (this: unknown, ...values: unknown[]) {
          const [client, operation] = values as [Client | undefined, Operation | undefined];
          const { commandName = 'command', ns } = operation ?? {};
          const caller = ledger.caller(`${ns?.collection ?? 'db'}.${commandName}`);
          const hosts = client?.options?.hosts?.map(String).join() ?? null;
          return asking.run({ caller, hosts }, () => Reflect.apply(original, this, values));
        },
    );
  }
  for (const [, exports] of loaded(CONNECTIONS)) {
    const connections = prototypeOf(exports.Connection);
    if (connections === null || !('command' in connections)) continue;
    patches.replace(
      connections,
      'command',
      (original) =>
        function (this: Connection, ...values: unknown[]) {
          const [namespace, document, options] = values as [{ db?: string }, unknown, unknown];
          const asked = asking.getStore();
          if (asked === undefined || !isDocument(document)) return Reflect.apply(original, this, values);
          const database = databaseAt(`mongodb ${asked.hosts ?? this.address}/${namespace?.db ?? ''}`);
          const { session = null } = (options ?? {}) as { session?: DriverSession | null };
          const command = database.sending(asked.caller, document, session);
          if (command === null) return Reflect.apply(original, this, values);
          const turn = ledger.asks(asked.caller, this, database.mayWait(command));
          return follow(database, command, turn, original, this, values);
        },
    );
  }
  return {};
}

function follow(
  database: MongoDatabase,
  command: Command,
  turn: AskedOfStore,
  original: Method,
  connection: Connection,
  values: unknown[],
): unknown {
  const options = (values[2] ?? {}) as Document;
  const done: Answered = (error, reply) =>
    safely(() =>
      error === undefined || error === null
        ? database.answered(command, answerOf(reply, options))
        : database.failed(command, error),
    );
  // Versions before 6.
  const callback = values.at(-1);
  if (typeof callback === 'function' && prototypeOf(callback) === null) {
    const answered: Answered = (error, reply) => {
      done(error, reply);
      turn.answered(() => callback(error, reply));
    };
    turn.sent();
    return Reflect.apply(original, connection, [...values.slice(0, -1), answered]);
  }
  const answer = Reflect.apply(original, connection, values) as Promise<unknown>;
  turn.sent();
  return answer.then(
    (reply) => {
      done(null, reply);
      return inTurn(turn, reply);
    },
    (error) => {
      done(error ?? new Error(), null);
      return inTurn(turn, Promise.reject(error));
    },
  );
}

/** Files of the package that have been loaded, with what they export. */
function loaded(path: RegExp): [file: string, exports: Exports][] {
  const { _cache: cache } = Module as unknown as { _cache: Record<string, { exports: Exports }> };
  return Object.keys(cache)
    .filter((file) => path.test(file))
    .map((file) => [file, cache[file].exports]);
}
