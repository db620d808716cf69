import { type Document, isDocument } from './documents.ts';

/** Names that may be shown; others are what a program has made up. */
const NAME = /^[\w$.-]{1,40}$/;

const MOST_NAMES = 4;

/** A command as the program would write it, without values: `accounts.updateOne({ _id: ? }, { $set: { balance: ? } })`. */
export function commandText(name: string, collection: string, command: Document): string {
  const [call, ...parts] = callOf(name, command);
  const args = parts.filter((part) => part !== undefined).map((part) => shape(part, 0));
  return `${collection}.${call}(${args.join(', ')})`;
}

function callOf(name: string, command: Document): [call: string, ...parts: unknown[]] {
  const only = (list: unknown) => (Array.isArray(list) && isDocument(list[0]) ? list[0] : {});
  const isMany = (list: unknown) => Array.isArray(list) && list.length > 1;
  switch (name) {
    case 'find':
      return [command.singleBatch === true && command.limit === 1 ? 'findOne' : 'find', command.filter ?? {}];
    case 'insert':
      return [isMany(command.documents) ? 'insertMany' : 'insertOne', only(command.documents)];
    case 'update': {
      const { q, u, multi } = only(command.updates);
      const isReplacement = isDocument(u) && !Object.keys(u).some((each) => each.startsWith('$'));
      return [multi === true ? 'updateMany' : isReplacement ? 'replaceOne' : 'updateOne', q, u];
    }
    case 'delete': {
      const { q, limit } = only(command.deletes);
      return [limit === 1 ? 'deleteOne' : 'deleteMany', q];
    }
    case 'findAndModify':
      return command.remove === true
        ? ['findOneAndDelete', command.query]
        : ['findOneAndUpdate', command.query, command.update];
    case 'aggregate':
      return ['aggregate', command.pipeline];
    case 'count':
      return ['count', command.query];
    case 'distinct':
      return ['distinct', command.query];
    default:
      return [name];
  }
}

function shape(value: unknown, depth: number): string {
  if (Array.isArray(value)) {
    const first = value.length === 0 ? '' : shape(value[0], depth + 1);
    return first === '?' ? '?' : `[${first}${value.length > 1 ? ', …' : ''}]`;
  }
  if (!isDocument(value) || depth > 3) return '?';
  const names = Object.keys(value);
  const shown = names
    .slice(0, MOST_NAMES)
    .map((name) => `${NAME.test(name) ? name : '?'}: ${shape(value[name], depth + 1)}`);
  if (names.length > MOST_NAMES) shown.push('…');
  return shown.length === 0 ? '{}' : `{ ${shown.join(', ')} }`;
}
