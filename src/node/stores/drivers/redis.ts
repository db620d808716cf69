import { Module } from 'node:module';
import { leaveToDriver } from '../../runtime/stores.ts';
import type { Ledger } from '../model/ledger.ts';
import { mayWait, RedisConnection } from '../redis/connection.ts';
import { type Exports, inTurn, type Method, patches, prototypeOf, safely } from './adapter.ts';

/** A command of versions 2 and 3. */
interface CommandObject {
  readonly command: string;
  readonly args?: readonly unknown[];
  callback?: (error: unknown, reply: unknown) => void;
}

interface OldClient {
  readonly connection_options?: { host?: string; port?: number; path?: string };
  readonly options?: { db?: number | string };
  readonly selected_db?: number;
}

/** The package `redis`: of versions 2 and 3 the clients themselves, of later ones nothing, as those are in `@redis/client`. */
export function redis(exports: Exports, ledger: Ledger): Exports {
  const clients = prototypeOf(exports.RedisClient);
  if (clients === null || !('internal_send_command' in clients)) return {};
  leaveToDriver(clients);
  const connections = new WeakMap<object, RedisConnection>();
  const known = new WeakSet<object>();
  patches.replace(
    clients,
    'internal_send_command',
    (original) =>
      function (this: OldClient, ...values: unknown[]) {
        const [command] = values as [CommandObject];
        safely(() => {
          if (known.has(command)) return;
          known.add(command);
          const { host, port, path } = this.connection_options ?? {};
          const connection =
            connections.get(this) ??
            new RedisConnection(
              ledger,
              path ?? `${host}:${port}`,
              Number(this.selected_db ?? this.options?.db ?? 0),
            );
          connections.set(this, connection);
          const { callback } = command;
          const isUsed = (callback?.length ?? 0) >= 2;
          const asked = connection.command(command.command, command.args ?? [], undefined, isUsed);
          const turn = ledger.asks(asked.caller, this, mayWait(asked));
          turn.sent();
          command.callback = (error, reply) => {
            safely(() => (error ? connection.failed(asked) : connection.replied(asked, reply)));
            turn.answered(() => {
              if (callback) ledger.inContextOf(asked.caller, () => callback(error, reply));
            });
          };
        });
        return Reflect.apply(original, this, values);
      },
  );
  return {};
}

/** Where the class is that all commands of a client go through, and where its clients are; the package exports neither. */
const QUEUE = /[\\/]@redis[\\/]client[\\/]dist[\\/]lib[\\/]client[\\/]commands-queue\.js$/;
const CLIENTS =
  /[\\/]@redis[\\/]client[\\/]dist[\\/]lib[\\/](?:client|cluster|sentinel)[\\/](?:index|pool)\.js$/;

/** `redis` from version 4 on. */
export function redisClient(_exports: Exports, ledger: Ledger): Exports {
  for (const clients of loadedClasses(CLIENTS)) leaveToDriver(clients);
  const queues = loadedClasses(QUEUE);
  const connections = new WeakMap<object, RedisConnection>();
  for (const queue of queues)
    patches.replace(
      queue,
      'addCommand',
      (original) =>
        function (this: object, ...values: unknown[]) {
          const connection = connections.get(this) ?? new RedisConnection(ledger, 'redis', 0);
          connections.set(this, connection);
          return added(ledger, connection, original, this, values);
        },
    );
  return {};
}

function added(
  ledger: Ledger,
  connection: RedisConnection,
  original: Method,
  queue: object,
  values: unknown[],
): unknown {
  const [args] = values as [readonly unknown[]];
  const asked = connection.command(String(args[0]), args.slice(1));
  const answer = Reflect.apply(original, queue, values) as Promise<unknown>;
  const turn = ledger.asks(asked.caller, queue, mayWait(asked));
  turn.sent();
  return answer.then(
    (reply) => {
      safely(() => connection.replied(asked, reply));
      return inTurn(turn, reply);
    },
    (error) => {
      safely(() => connection.failed(asked));
      return inTurn(turn, Promise.reject(error));
    },
  );
}

/** The prototypes of the classes that these files have as their default export. */
function loadedClasses(path: RegExp): object[] {
  const { _cache: cache } = Module as unknown as { _cache: Record<string, { exports: Exports }> };
  const files = Object.keys(cache).filter((file) => path.test(file));
  return files.map((file) => prototypeOf(cache[file].exports.default)).filter((found) => found !== null);
}
