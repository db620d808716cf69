import { leaveToDriver } from '../../runtime/stores.ts';
import type { Caller, Ledger } from '../model/ledger.ts';
import { type Command, mayWait, RedisConnection } from '../redis/connection.ts';
import { type Exports, patches, prototypeOf, safely } from './adapter.ts';

interface Client {
  readonly status?: string;
  readonly options?: { host?: string; port?: number; path?: string; db?: number };
}

/** What ioredis calls a command; `resolve` and `reject` are its own. */
interface DriverCommand {
  readonly name: string;
  readonly args: readonly unknown[];
  resolve: (reply: unknown) => void;
  reject: (error: unknown) => void;
}

/** Every command goes through `sendCommand`; those of a pipeline are given to that first, in the call by the program. */
export function ioredis(exports: Exports, ledger: Ledger): Exports {
  // `import` has what `require` gives as its default.
  const whole = (typeof exports.default === 'function' ? exports.default : exports) as Exports;
  const clients = prototypeOf(whole.Redis ?? exports.Redis ?? exports.default);
  const pipelines = prototypeOf(whole.Pipeline);
  if (clients === null) return {};
  const connections = new WeakMap<object, RedisConnection>();
  const callers = new WeakMap<object, Caller>();
  /** A command may be sent again, when there is a connection. */
  const known = new WeakSet<object>();

  const connectionOf = (client: Client): RedisConnection => {
    let connection = connections.get(client);
    if (connection === undefined) {
      const { host, port, path, db = 0 } = client.options ?? {};
      connection = new RedisConnection(ledger, path ?? `${host}:${port}`, db);
      connections.set(client, connection);
    }
    return connection;
  };

  for (const each of [clients, prototypeOf(whole.Cluster)]) if (each !== null) leaveToDriver(each);
  if (pipelines !== null)
    patches.replace(
      pipelines,
      'sendCommand',
      (original) =>
        function (this: unknown, ...values: unknown[]) {
          const [command] = values as [DriverCommand];
          safely(() =>
            callers.set(command, ledger.caller(`${command.name.toUpperCase()} ${command.args[0] ?? ''}`)),
          );
          return Reflect.apply(original, this, values);
        },
    );
  patches.replace(
    clients,
    'sendCommand',
    (original) =>
      function (this: Client, ...values: unknown[]) {
        const [command] = values as [DriverCommand];
        safely(() => {
          if (known.has(command)) return;
          known.add(command);
          const connection = connectionOf(this);
          const asked = connection.command(command.name, command.args, callers.get(command));
          follow(ledger, connection, asked, command, this);
        });
        return Reflect.apply(original, this, values);
      },
  );
  return {};
}

function follow(
  ledger: Ledger,
  connection: RedisConnection,
  asked: Command,
  command: DriverCommand,
  client: Client,
): void {
  const { resolve, reject } = command;
  const turn = ledger.asks(asked.caller, client, mayWait(asked));
  // What waits for the connection is sent later.
  if (client.status === 'ready') turn.sent();
  command.resolve = (reply) => {
    safely(() => connection.replied(asked, reply));
    turn.answered(() => ledger.inContextOf(asked.caller, () => resolve(reply)));
  };
  command.reject = (error) => {
    safely(() => connection.failed(asked));
    turn.answered(() => ledger.inContextOf(asked.caller, () => reject(error)));
  };
}
