import { GONE, type KnownValue, THERE } from '../model/variables.ts';

/* What commands of Redis have found in keys and left there, as far as the command and its answer say so. */

/** Of a key, or of a part of it. */
interface Found {
  readonly key: string;
  readonly part: string | null;
  readonly seen?: KnownValue;
  readonly wrote?: KnownValue;
}

type Rule = (args: readonly string[], reply: unknown) => Found[];

/** Of keys and members that are listed, whether all or none of them were there. */
const all = (count: number, reply: unknown): boolean => reply === count;

const RULES: Readonly<Record<string, Rule>> = {
  GET: ([key], reply) => [{ key, part: null, seen: as(reply) }],
  MGET: (keys, reply) =>
    Array.isArray(reply) ? keys.map((key, i) => ({ key, part: null, seen: as(reply[i]) })) : [],
  EXISTS: ([key, ...more], reply) =>
    more.length > 0 ? [] : [{ key, part: null, seen: isDone(reply) ? THERE : GONE }],
  SET: ([key, value, ...options], reply) => {
    const words = new Set(options.map((option) => option.toUpperCase()));
    const expires = ['EX', 'PX', 'EXAT', 'PXAT', 'KEEPTTL'].some((word) => words.has(word));
    const wrote = { value, isExact: true, expires };
    if (words.has('GET')) return words.size === 1 ? [{ key, part: null, seen: as(reply), wrote }] : [];
    if (words.has('IFEQ')) return [];
    if (!words.has('NX') && !words.has('XX')) return [{ key, part: null, wrote }];
    const wasThere = words.has('XX') === isDone(reply);
    const seen = wasThere ? THERE : GONE;
    return [isDone(reply) ? { key, part: null, seen, wrote } : { key, part: null, seen }];
  },
  SETNX: ([key, value], reply) => [
    isDone(reply) ? { key, part: null, seen: GONE, wrote: as(value) } : { key, part: null, seen: THERE },
  ],
  SETEX: ([key, , value]) => [{ key, part: null, wrote: { value, isExact: true, expires: true } }],
  MSET: (args) =>
    args.flatMap((key, i) => (i % 2 === 0 ? [{ key, part: null, wrote: as(args[i + 1]) }] : [])),
  INCR: ([key], reply) => counted(key, null, reply, 1),
  DECR: ([key], reply) => counted(key, null, reply, -1),
  INCRBY: ([key, by], reply) => counted(key, null, reply, Number(by)),
  DECRBY: ([key, by], reply) => counted(key, null, reply, -Number(by)),
  GETSET: ([key, value], reply) => [{ key, part: null, seen: as(reply), wrote: as(value) }],
  GETDEL: ([key], reply) => [{ key, part: null, seen: as(reply), wrote: GONE }],
  DEL: (keys, reply) => keys.map((key) => ({ key, part: null, ...removed(all(keys.length, reply)) })),
  HGET: ([key, part], reply) => [{ key, part, seen: as(reply) }],
  HEXISTS: ([key, part], reply) => [{ key, part, seen: isDone(reply) ? THERE : GONE }],
  HMGET: ([key, ...parts], reply) =>
    Array.isArray(reply) ? parts.map((part, i) => ({ key, part, seen: as(reply[i]) })) : [],
  HGETALL: ([key], reply) => fieldsIn(reply).map(([part, value]) => ({ key, part, seen: as(value) })),
  HSET: ([key, ...pairs]) =>
    pairs.flatMap((part, i) => (i % 2 === 0 ? [{ key, part, wrote: as(pairs[i + 1]) }] : [])),
  HSETNX: ([key, part, value], reply) => [
    isDone(reply) ? { key, part, seen: GONE, wrote: as(value) } : { key, part, seen: THERE },
  ],
  HINCRBY: ([key, part, by], reply) => counted(key, part, reply, Number(by)),
  HDEL: ([key, ...parts], reply) =>
    parts.map((part) => ({ key, part, ...removed(all(parts.length, reply)) })),
  SISMEMBER: ([key, part], reply) => [{ key, part, seen: isDone(reply) ? THERE : GONE }],
  SADD: ([key, ...parts], reply) =>
    parts.map((part) => ({ key, part, wrote: THERE, ...(all(parts.length, reply) ? { seen: GONE } : {}) })),
  SREM: ([key, ...parts], reply) =>
    parts.map((part) => ({ key, part, ...removed(all(parts.length, reply)) })),
};

const SAME: Readonly<Record<string, string>> = { PSETEX: 'SETEX', UNLINK: 'DEL', HMSET: 'HSET' };

export function valuesOf(name: string, args: readonly string[], reply: unknown): Found[] {
  const rule = RULES[SAME[name] ?? name];
  return rule === undefined ? [] : rule(args, reply);
}

/** The fields of a hash with what is in them: a list, an object or a Map, as the driver has it. */
export function fieldsIn(reply: unknown): (readonly [name: string, value: unknown])[] {
  if (Array.isArray(reply))
    return reply.flatMap((name, i) => (i % 2 === 0 ? [[String(name), reply[i + 1]] as const] : []));
  if (reply instanceof Map) return [...reply].map(([name, value]) => [String(name), value]);
  return typeof reply === 'object' && reply !== null ? Object.entries(reply) : [];
}

function as(value: unknown): KnownValue {
  return { value, isExact: true };
}

function counted(key: string, part: string | null, reply: unknown, by: number): Found[] {
  const after = Number(reply);
  if (!Number.isSafeInteger(after) || !Number.isSafeInteger(by)) return [];
  // What is not there counts as 0.
  return after === by
    ? [{ key, part, wrote: as(after) }]
    : [{ key, part, seen: as(after - by), wrote: as(after) }];
}

function removed(wereThere: boolean): Pick<Found, 'seen' | 'wrote'> {
  return wereThere ? { seen: THERE, wrote: GONE } : { wrote: GONE };
}

function isDone(reply: unknown): boolean {
  const text = Buffer.isBuffer(reply) ? reply.toString() : reply;
  return text === 1 || text === true || text === 'OK';
}
