import { type Document, isDocument } from './documents.ts';
import type { Answer } from './steps.ts';

/*
 * What the driver makes of the bytes of a reply it makes late, when the program asks for it. It is made here instead, once and with the
 * same options, and the driver gets that.
 */

/** A reply that is still in bytes. */
interface Reply {
  toObject(options?: unknown): Document;
}

/** The same with documents, of which the driver takes one after the other. */
interface CursorReply extends Reply {
  readonly id: unknown;
  readonly batchSize: number;
  readonly batch: { get(index: number, type: number, isRequired: boolean): Reply };
  readonly encryptedResponse?: unknown;
  iterated: number;
  shift(options?: unknown): unknown;
}

/** The number of the type of documents in BSON. */
const DOCUMENT = 3;

const OPTIONS = [
  ...['promoteLongs', 'promoteValues', 'promoteBuffers', 'useBigInt64', 'bsonRegExp', 'raw', 'fieldsAsRaw'],
  'enableUtf8Validation',
] as const;

export function answerOf(reply: unknown, options: Document): Answer {
  if (isInBytes(reply)) return 'shift' in reply ? cursorAnswer(reply, options) : plainAnswer(reply, options);
  return { ...documentsIn(isDocument(reply) ? reply : {}), areGiven: true };
}

function isInBytes(reply: unknown): reply is Reply {
  return (
    typeof reply === 'object' && reply !== null && 'toObject' in reply && typeof reply.toObject === 'function'
  );
}

function plainAnswer(reply: Reply, options: Document): Answer {
  const original = reply.toObject;
  const made = original.call(reply, options);
  if (options.raw !== true)
    reply.toObject = function (this: Reply, given?: unknown) {
      return isSame(given, options) ? made : original.call(this, given);
    };
  return { ...documentsIn(made), areGiven: options.raw !== true };
}

function cursorAnswer(reply: Reply, options: Document): Answer {
  if (!isCursor(reply) || options.raw === true || reply.encryptedResponse != null) {
    const made = reply.toObject({ ...options, raw: false });
    return { ...documentsIn(made), areGiven: false };
  }
  const how = { ...options, validation: { utf8: options.enableUtf8Validation !== false } };
  const documents: Document[] = [];
  for (let i = 0; i < reply.batchSize; i++) documents.push(reply.batch.get(i, DOCUMENT, true).toObject(how));
  const original = reply.shift;
  reply.shift = function (this: CursorReply, given?: unknown) {
    const next = documents[this.iterated];
    if (next === undefined || !isSame(given, options)) return original.call(this, given);
    this.iterated++;
    return next;
  };
  const id = String(reply.id);
  return { reply: { cursor: { id } }, documents, areGiven: true, hasMore: id !== '0' };
}

function isCursor(reply: Reply): reply is CursorReply {
  const { batchSize, batch, iterated } = reply as Partial<CursorReply>;
  return typeof batchSize === 'number' && typeof iterated === 'number' && typeof batch?.get === 'function';
}

function isSame(one: unknown, other: Document): boolean {
  const given = (typeof one === 'object' && one !== null ? one : {}) as Document;
  return OPTIONS.every((name) => given[name] === other[name]);
}

function documentsIn(reply: Document): Omit<Answer, 'areGiven'> {
  const cursor = isDocument(reply.cursor) ? reply.cursor : {};
  const batch = cursor.firstBatch ?? cursor.nextBatch;
  const documents = Array.isArray(batch) ? batch.filter(isDocument) : [];
  return { reply, documents, hasMore: String(cursor.id ?? 0) !== '0' };
}
