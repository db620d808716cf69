import type { Caller, Ledger, Moment } from '../model/ledger.ts';
import type { Effect, Space } from '../model/variables.ts';
import { effectsOf, textOf, watchedKeys } from './commands.ts';
import { mayPut, messagesPut, messagesTaken } from './queues.ts';

/** A command that was given to a driver. */
export interface Command {
  readonly name: string;
  readonly args: readonly string[];
  readonly caller: Caller;
  /** Whether the answer goes to a callback that takes it. */
  readonly isUsed: boolean;
  /** For what puts messages somewhere: the moment before that. */
  readonly sent: Moment | null;
}

/**
 * One connection to a server. Redis does one command after the other, and answers a connection in the order in which it
 * was asked; so the order of the answers is the order of what was done.
 */
export class RedisConnection {
  readonly #ledger: Ledger;
  readonly #server: string;
  #database: number;
  /** Commands between MULTI and EXEC; null outside of them. */
  #queued: Command[] | null = null;
  /** What EXEC will validate. */
  #watched = new Set<string>();

  constructor(ledger: Ledger, server: string, database: number) {
    this.#ledger = ledger;
    this.#server = server;
    this.#database = database;
  }

  /** To be called in the very call by the program. */
  command(name: string, args: readonly unknown[], caller?: Caller, isUsed = false): Command {
    return {
      isUsed,
      sent: mayPut(name.toUpperCase()) ? this.#ledger.moment() : null,
      name: name.toUpperCase(),
      args: args.map(argumentText),
      // Values are none of a reader's business.
      caller:
        caller ?? this.#ledger.caller([name.toUpperCase(), argumentText(args[0] ?? '')].join(' ').trim()),
    };
  }

  get #space(): Space {
    return this.#ledger.space(`redis ${this.#server} ${this.#database}`, 'redis');
  }

  /** The server has answered; to be called before the program gets to know. */
  replied(command: Command, reply: unknown): void {
    const { name, args } = command;
    if (name === 'SELECT') this.#database = Number(args[0]);
    if (name === 'MULTI') this.#queued = [];
    else if (name === 'EXEC') this.#executed(command, reply);
    else if (name === 'DISCARD') this.#queued = null;
    else if (name === 'UNWATCH') this.#watched.clear();
    else if (name === 'WATCH') for (const { key } of watchedKeys(this.#space, args)) this.#watched.add(key);
    else if (this.#queued !== null && textOf(reply) === 'QUEUED') this.#queued.push(command);
    else {
      this.#ledger.now(command.caller, this.#effects(command, reply));
      this.#noteMessages(command, reply);
    }
  }

  #noteMessages({ name, args, sent }: Command, reply: unknown): void {
    const where = `redis ${this.#server} ${this.#database}`;
    if (sent !== null)
      for (const message of messagesPut(name, args, reply))
        this.#ledger.noteMessage(`${where} ${message}`, 'cause', sent);
    for (const message of messagesTaken(name, args, reply))
      this.#ledger.noteMessage(`${where} ${message}`, 'effect', this.#ledger.moment());
  }

  failed({ name }: Command): void {
    if (name === 'EXEC') {
      this.#queued = null;
      this.#watched.clear();
    }
  }

  /** All commands of a transaction at once; none, if something that was watched has changed. */
  #executed({ caller }: Command, reply: unknown): void {
    const queued = this.#queued ?? [];
    this.#queued = null;
    const watched = this.#watched;
    this.#watched = new Set();
    if (!Array.isArray(reply)) return;
    const effects = queued.flatMap((command, i) =>
      reply[i] instanceof Error ? [] : this.#effects(command, reply[i]),
    );
    this.#ledger.now(caller, merged(effects.map((effect) => validated(effect, watched))));
    queued.forEach((command, i) => {
      if (!(reply[i] instanceof Error)) this.#noteMessages(command, reply[i]);
    });
  }

  #effects({ name, args, isUsed }: Command, reply: unknown): Effect[] {
    const effects = effectsOf(this.#space, name, args, reply);
    if (effects === null) this.#ledger.noteUnknown('redis', name);
    return (effects ?? []).map((effect) => (isUsed ? used(effect) : effect));
  }
}

/** Whether the server may answer only when somebody else has done something. */
export function mayWait({ name }: Command): boolean {
  return /^(?:B[A-Z]*(?:POP|PUSH|MOVE|MPOP)[A-Z]*|XREAD|XREADGROUP|WAIT|WAITAOF|P?S?SUBSCRIBE|MONITOR)$/.test(
    name,
  );
}

/** For a callback that takes the answer. */
function used({ ifUsed, ...effect }: Effect): Effect {
  return ifUsed === undefined ? effect : { ...effect, act: ifUsed, isGuarded: true };
}

/** What was watched has not changed since: the server says so. */
function validated(effect: Effect, watched: ReadonlySet<string>): Effect {
  const { key, within } = effect.variable;
  if (effect.act !== 'write' || !(watched.has(key) || watched.has(within ?? ''))) return effect;
  return { ...effect, act: 'update', isGuarded: true };
}

/** In one step nobody comes between a look and a change: who reads a counter that it has just counted goes by its own. */
function merged(effects: readonly Effect[]): Effect[] {
  const changes = new Set(effects.filter(({ act }) => act !== 'read').map(({ variable }) => variable.key));
  return effects.filter(({ act, variable }) => act !== 'read' || !changes.has(variable.key));
}

function argumentText(value: unknown): string {
  return textOf(value) ?? String(value);
}
