import { isDecided, isPredicate, isRow, isStale, placeOf } from './database-rows.ts';
import type { AdviceRow, Case, Words } from './row.ts';

const isMongo = ({ facts }: Case) => facts.store === 'mongodb';

/** One command that looks and changes, and whose answer decides. */
function guarded(words: Words): string[] {
  const { table, column } = placeOf(words);
  return [
    `const { modifiedCount } = await db.collection('${table}').updateOne(`,
    `  { _id: id, ${column}: { $gte: amount } },`,
    `  { $inc: { ${column}: -amount } },`,
    ');',
    '// nothing has changed if there was not enough left:',
    'return modifiedCount === 1;',
  ];
}

/** Advice about documents of MongoDB; rows of other databases are next. */
export const DOCUMENT_ROWS: readonly AdviceRow[] = [
  {
    name: 'unique-index',
    of: 'program',
    applies: (one) => isMongo(one) && isPredicate(one) && isStale(one),
    why: ({ own, other, variable, first, between, last }) =>
      `${own} looked which documents ${variable} has (event ${first}) and changed that (event ${last}). ${other} had changed it in between (event ${between}), so that both went by the same look.`,
    fix: () =>
      'Let the database decide: a unique index, and updateOne with $setOnInsert and upsert, then look whether a document was made; or insertOne, and error 11000 says that somebody else was sooner. An upsert without a unique index may make two. Where documents are counted, keep the number in one document, and change that by a guarded $inc.',
    sketch: (words) => {
      const { table, column } = placeOf(words);
      return [
        `// once, where collections are made: db.collection('${table}').createIndex({ ${column}: 1 }, { unique: true })`,
        `const { upsertedCount } = await db.collection('${table}').updateOne(`,
        `  { ${column}: value },`,
        '  { $setOnInsert: { createdAt: new Date() } },',
        '  { upsert: true },',
        ');',
        '// nothing was inserted if somebody else was sooner:',
        'return upsertedCount === 1;',
      ];
    },
  },
  {
    name: 'guarded-document',
    of: 'program',
    applies: (one) => isMongo(one) && isRow(one) && isStale(one) && isDecided(one),
    why: ({ own, other, variable, first, between, last }) =>
      `${own} decided by ${variable} as it had read it (event ${first}). ${other} changed it (event ${between}) before ${own} wrote (event ${last}).`,
    fix: () =>
      'Put the check into the filter of the command that writes, updateOne({ _id, balance: { $gte: amount } }, …), and look how many documents it has matched; findOneAndUpdate gives the document as well.',
    sketch: guarded,
  },
  {
    name: 'update-in-mongodb',
    of: 'program',
    applies: (one) => isMongo(one) && isRow(one) && isStale(one),
    why: ({ own, other, variable, first, between, last }) =>
      `${own} computed what it wrote to ${variable} (event ${last}) from what it had read before (event ${first}). ${other} had written it in between (event ${between}), and that is lost.`,
    fix: () =>
      'Let the database compute it: $inc, $push, $addToSet or an update with a pipeline, with what must hold in the filter. Or write only if a version field is still what was read (updateOne({ _id, version }, { $set: …, $inc: { version: 1 } })), and try again otherwise; Mongoose does so with optimisticConcurrency.',
    sketch: guarded,
  },
];
