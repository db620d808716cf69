import {
  count,
  type Effect,
  read,
  removeNothing,
  type Space,
  update,
  valueText,
  write,
} from '../model/variables.ts';
import { fieldsIn, valuesOf } from './values.ts';

/*
 * What commands of Redis do, by name. A key is a variable, for what a string holds and for whether anything is there at all; a
 * field of a hash, a member of a set or sorted set is one, too; `key.*` stands for all of them together, so that whoever looks at
 * all is seen to meet whoever changes one. What a command decides by itself, in one step, is guarded.
 */

/** Of larger hashes, all fields together are one. */
const MOST_FIELDS = 200;

/** The arguments behind the name of the command, and what the server has answered. */
type Rule = (keys: Keys, args: readonly string[], reply: unknown) => Effect[];

/** The variables of one database. */
class Keys {
  readonly #space: Space;

  constructor(space: Space) {
    this.#space = space;
  }

  key(key: string) {
    return this.#space.variable(`[${valueText(key)}]`, 'key');
  }

  part(key: string, part: string) {
    return this.#space.variable(`[${valueText(key)}].${valueText(part)}`, 'field', `[${valueText(key)}]`);
  }

  whole(key: string) {
    return this.#space.variable(`[${valueText(key)}].*`, 'key', `[${valueText(key)}]`);
  }

  /** Which fields a hash has. */
  fields(key: string) {
    return this.#space.variable(`[${valueText(key)}] fields`, 'key', `[${valueText(key)}]`);
  }

  ttl(key: string) {
    return this.#space.variable(`[${valueText(key)}] ttl`, 'field', `[${valueText(key)}]`);
  }
}

const none: Rule = () => [];

const reads: Rule = (keys, [key]) => [read(keys.key(key))];
const readsAll: Rule = (keys, args) => args.map((key) => read(keys.key(key)));
const writes: Rule = (keys, [key]) => [write(keys.key(key))];
/** What is added commutes with what others add. */
const adds: Rule = (keys, [key]) => [update(keys.key(key))];
const counts: Rule = (keys, [key]) => [count(keys.key(key))];
/** Takes something out, or changes what is there by what is there. */
const takes: Rule = (keys, [key], reply) =>
  isNothing(reply) ? [read(keys.key(key))] : [update(keys.key(key), true)];
/** Only if it is not there. */
const makes: Rule = (keys, [key], reply) =>
  isDone(reply) ? [update(keys.key(key), true)] : [read(keys.key(key))];
const readsTtl: Rule = (keys, [key]) => [read(keys.key(key)), read(keys.ttl(key))];
const setsTtl: Rule = (keys, [key], reply) =>
  isDone(reply) ? [update(keys.ttl(key))] : [read(keys.key(key))];

const set: Rule = (keys, [key, , ...options], reply) => {
  const words = options.map((option) => option.toUpperCase());
  const isConditional = words.includes('NX') || words.includes('XX') || words.includes('IFEQ');
  if (words.includes('GET')) return [read(keys.key(key)), update(keys.key(key), true)];
  if (!isConditional) return [write(keys.key(key))];
  return isDone(reply) ? [update(keys.key(key), true)] : [read(keys.key(key))];
};

const deletes: Rule = (keys, args, reply) =>
  args.map((key) => (isNothing(reply) ? removeNothing(keys.key(key)) : write(keys.key(key))));

// ---- Fields of hashes, members of sets and sorted sets ----

const readsPart: Rule = (keys, [key, part]) => [read(keys.key(key)), read(keys.part(key, part))];
const readsParts: Rule = (keys, [key, ...parts]) => [
  read(keys.key(key)),
  ...parts.map((part) => read(keys.part(key, part))),
];
const readsWhole: Rule = (keys, [key]) => [read(keys.key(key)), read(keys.whole(key))];
const readsFields: Rule = (keys, [key]) => [read(keys.key(key)), read(keys.fields(key))];
/** Whoever gets all fields of a hash may go by a few of them, or only by which there are. */
const readsHash: Rule = (keys, args, reply) => {
  const fields = fieldsIn(reply);
  if (fields.length > MOST_FIELDS) return [...readsFields(keys, args, reply), read(keys.whole(args[0]))];
  return [
    ...readsFields(keys, args, reply),
    ...fields.map(([name]) => ({ ...read(keys.part(args[0], name)), given: { row: null, name, rows: [] } })),
  ];
};

function changed(keys: Keys, key: string, parts: readonly string[], change: typeof write): Effect[] {
  return [...parts.map((part) => change(keys.part(key, part))), update(keys.whole(key))];
}

const writesFields: Rule = (keys, [key, ...pairs], reply) => {
  const names = pairs.filter((_, i) => i % 2 === 0);
  // It says how many are new.
  return [...changed(keys, key, names, write), ...(reply === 0 ? [] : [update(keys.fields(key))])];
};
const makesField: Rule = (keys, [key, field], reply) =>
  isDone(reply)
    ? [...changed(keys, key, [field], guarded), update(keys.fields(key))]
    : readsPart(keys, [key, field], reply);
const addsToField: Rule = (keys, [key, field, by], reply) => [
  ...changed(keys, key, [field], count),
  // What was not there before counts as 0.
  ...(Number(textOf(reply) ?? reply) === Number(by) ? [update(keys.fields(key))] : []),
];
const deletesParts: Rule = (keys, [key, ...parts], reply) =>
  isNothing(reply)
    ? parts.map((part) => removeNothing(keys.part(key, part)))
    : changed(keys, key, parts, write);
const deletesFields: Rule = (keys, args, reply) => [
  ...deletesParts(keys, args, reply),
  ...(isNothing(reply) ? [] : [update(keys.fields(args[0]))]),
];
/** A member that is there already stays what it is: for those who ask that was a look, for others a change that came too late. */
const addsMembers: Rule = (keys, [key, ...members], reply) => {
  if (!isNothing(reply)) return changed(keys, key, members, guarded);
  return members.length === 1
    ? [removeNothing(keys.part(key, members[0]))]
    : readsParts(keys, [key, ...members], reply);
};
const takesMember: Rule = (keys, [key], reply) =>
  isNothing(reply) ? readsWhole(keys, [key], reply) : [update(keys.whole(key), true)];
const writesWhole: Rule = (keys, [key], reply) =>
  isNothing(reply) ? readsWhole(keys, [key], reply) : [update(keys.whole(key), true)];

const scoredMembers: Rule = (keys, [key, ...rest]) => {
  const first = rest.findIndex(
    (word) => word !== '' && !Number.isNaN(Number(word.replace(/^[+-]?inf$/i, '0'))),
  );
  const options = rest.slice(0, first).map((word) => word.toUpperCase());
  const members = rest.slice(first).filter((_, i) => i % 2 === 1);
  if (options.includes('INCR')) return changed(keys, key, members, update);
  return changed(keys, key, members, options.includes('NX') || options.includes('XX') ? guarded : write);
};

function guarded(variable: Effect['variable']): Effect {
  return update(variable, true);
}

/** A script is one step; of its keys it is not known which it changes. */
const script: Rule = (keys, [, count, ...rest]) =>
  rest
    .slice(0, Number(count) || 0)
    .flatMap((key) => [keys.key(key), keys.whole(key), keys.fields(key)])
    .map(guarded);

const names = (text: string, rule: Rule) => text.split(' ').map((name): [string, Rule] => [name, rule]);

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...names('GET STRLEN GETRANGE SUBSTR GETBIT BITCOUNT BITPOS TYPE OBJECT DUMP LCS', reads),
  ...names('MGET EXISTS TOUCH', readsAll),
  ['SET', set],
  ...names('SETEX PSETEX SETRANGE SETBIT APPEND RESTORE LSET LTRIM LINSERT', writes),
  [
    'LREM',
    (keys, [key], reply) =>
      isNothing(reply) ? [removeNothing(keys.key(key))] : [update(keys.key(key), true)],
  ],
  ...names('INCR INCRBY INCRBYFLOAT DECR DECRBY', counts),
  ['PFADD', adds],
  ...names('GETSET GETDEL', takes),
  ['GETEX', readsTtl],
  ['SETNX', makes],
  ['MSET', (keys, args) => args.filter((_, i) => i % 2 === 0).map((key) => write(keys.key(key)))],
  [
    'MSETNX',
    (keys, args, reply) =>
      args
        .filter((_, i) => i % 2 === 0)
        .map((key) => (isDone(reply) ? update(keys.key(key), true) : read(keys.key(key)))),
  ],
  ...names('DEL UNLINK', deletes),
  ['RENAME', (keys, [from, to]) => [update(keys.key(from), true), write(keys.key(to))]],
  [
    'RENAMENX',
    (keys, [from, to], reply) =>
      isDone(reply)
        ? [update(keys.key(from), true), update(keys.key(to), true)]
        : [read(keys.key(from)), read(keys.key(to))],
  ],
  ...names('TTL PTTL EXPIRETIME PEXPIRETIME', readsTtl),
  ...names('EXPIRE PEXPIRE EXPIREAT PEXPIREAT PERSIST', setsTtl),
  // Hashes.
  ...names('HGET HEXISTS HSTRLEN', readsPart),
  ['HMGET', readsParts],
  ['HGETALL', readsHash],
  ...names('HKEYS HLEN', readsFields),
  ...names('HVALS HRANDFIELD HSCAN', readsWhole),
  ...names('HSET HMSET', writesFields),
  ['HSETNX', makesField],
  ...names('HINCRBY HINCRBYFLOAT', addsToField),
  ['HDEL', deletesFields],
  // Lists.
  ...names('LPUSH RPUSH LPUSHX RPUSHX', adds),
  ...names('LPOP RPOP', takes),
  ...names('LRANGE LLEN LINDEX LPOS', reads),
  ...names('BLPOP BRPOP', (keys, _args, reply) => {
    const key = Array.isArray(reply) ? textOf(reply[0]) : null;
    return key === null ? [] : [update(keys.key(key), true)];
  }),
  ...names('LMOVE RPOPLPUSH BLMOVE BRPOPLPUSH', (keys, [from, to], reply) =>
    isNothing(reply) ? [read(keys.key(from))] : [update(keys.key(from), true), update(keys.key(to))],
  ),
  // Sets.
  ['SADD', addsMembers],
  ['SREM', deletesParts],
  ['SISMEMBER', readsPart],
  ['SMISMEMBER', readsParts],
  ...names('SMEMBERS SCARD SRANDMEMBER SSCAN', readsWhole),
  ...names('SINTER SUNION SDIFF', (keys, args) =>
    args.flatMap((key) => [read(keys.key(key)), read(keys.whole(key))]),
  ),
  ['SPOP', takesMember],
  [
    'SMOVE',
    (keys, [from, to, member], reply) =>
      isDone(reply)
        ? [...changed(keys, from, [member], guarded), ...changed(keys, to, [member], guarded)]
        : readsPart(keys, [from, member], reply),
  ],
  // Sorted sets.
  ['ZADD', scoredMembers],
  ['ZINCRBY', (keys, [key, , member]) => changed(keys, key, [member], count)],
  ['ZREM', deletesParts],
  ...names('ZSCORE ZRANK ZREVRANK', readsPart),
  ['ZMSCORE', readsParts],
  ...names(
    'ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZRANGEBYLEX ZCARD ZCOUNT ZLEXCOUNT ZSCAN',
    readsWhole,
  ),
  ...names('ZPOPMIN ZPOPMAX', takesMember),
  ...names('ZREMRANGEBYSCORE ZREMRANGEBYRANK ZREMRANGEBYLEX', writesWhole),
  // Streams.
  ['XADD', adds],
  ...names('XLEN XRANGE XREVRANGE XPENDING XINFO', reads),
  ...names('XACK XDEL XTRIM XCLAIM XAUTOCLAIM', takes),
  ...names('XREADGROUP XREAD XGROUP', none),
  // Scripts.
  ...names('EVAL EVALSHA FCALL', script),
  ...names('EVAL_RO EVALSHA_RO FCALL_RO', (keys, [, count, ...rest]) =>
    readsAll(keys, rest.slice(0, Number(count) || 0), null),
  ),
  // What is no state of the program, or says nothing of single keys.
  ...names(
    'PING ECHO AUTH HELLO SELECT QUIT RESET INFO CONFIG CLIENT COMMAND CLUSTER READONLY READWRITE TIME ROLE WAIT LATENCY MEMORY MONITOR SLOWLOG DEBUG SCRIPT FUNCTION SAVE BGSAVE LASTSAVE PUBLISH SPUBLISH SUBSCRIBE UNSUBSCRIBE PSUBSCRIBE PUNSUBSCRIBE SSUBSCRIBE SUNSUBSCRIBE PUBSUB WATCH UNWATCH MULTI DISCARD FLUSHDB FLUSHALL DBSIZE SCAN KEYS RANDOMKEY ACL MODULE',
    none,
  ),
]);

/** What a command has done, all in one step; null if it is not known. */
export function effectsOf(
  space: Space,
  name: string,
  args: readonly string[],
  reply: unknown,
): Effect[] | null {
  const rule = RULES.get(name.toUpperCase());
  if (rule === undefined) return null;
  const keys = new Keys(space);
  const effects = rule(keys, args, reply);
  const values = valuesOf(name.toUpperCase(), args, reply);
  if (values.length === 0) return effects;
  const known = new Map(
    values.map(({ key, part, ...each }) => [
      part === null ? keys.key(key).key : keys.part(key, part).key,
      each,
    ]),
  );
  return effects.map((effect) => ({ ...effect, ...known.get(effect.variable.key) }));
}

/** What a transaction watches is what it goes by. */
export function watchedKeys(space: Space, args: readonly string[]): Effect['variable'][] {
  const keys = new Keys(space);
  return args.flatMap((key) => [keys.key(key), keys.whole(key), keys.fields(key)]);
}

function isNothing(reply: unknown): boolean {
  return reply === null || reply === undefined || reply === 0 || (Array.isArray(reply) && reply.length === 0);
}

/** `OK`, 1, true: what drivers make of it. */
function isDone(reply: unknown): boolean {
  return reply === 1 || reply === true || textOf(reply) === 'OK';
}

export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? value.toString() : null;
}
