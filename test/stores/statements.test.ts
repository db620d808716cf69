import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { JsonReport } from '../../src/check/json-results.ts';
import { statementText } from '../../src/node/stores/model/statement-text.ts';
import { sqliteStatements } from '../../src/node/stores/sql/sqlite-text.ts';
import { temporaryFolder, trackside } from '../cli/run.ts';
import { installDrivers } from './drivers.ts';

const PROGRAM = fileURLToPath(new URL('support/not-understood.mjs', import.meta.url));
const STATEMENTS = fileURLToPath(new URL('support/statements.mjs', import.meta.url));

installDrivers();
const folder = temporaryFolder();

it('says which statements were not understood, in text, in JSON and of a recorded run', () => {
  const json = `${folder.path}/results.json`;
  const trace = `${folder.path}/run.trk`;
  const sentence =
    '2 statements of SQLite were not understood: only the tables they name count (the first is SELECT id FROM jobs WHERE title GLOB ? OR tries > ?).';

  const run = trackside(['run', '--reporter', 'text', '--reporter', `json=${json}`, PROGRAM]);
  expect((run.stdout + run.stderr).replace(/\s+/g, ' ')).toContain(sentence);
  expect(run.status).toBe(0);
  const { results } = JSON.parse(readFileSync(json, 'utf8')) as JsonReport;
  expect(results[0].notUnderstood).toEqual([
    { store: 'sqlite', count: 2, first: 'SELECT id FROM jobs WHERE title GLOB ? OR tries > ?' },
  ]);

  expect(trackside(['record', '-o', trace, PROGRAM]).status).toBe(0);
  const recorded = trackside(['check', trace]);
  expect((recorded.stdout + recorded.stderr).replace(/\s+/g, ' ')).toContain(sentence);
});

it('takes words of joins for names where SQLite does', () => {
  const textOf = (statement: string) => sqliteStatements(statement)[0].text;
  expect(textOf('SELECT left, right FROM lots WHERE left > 0')).toBe(
    'SELECT "left" , "right" FROM lots WHERE "left" > 0',
  );
  const join = 'SELECT a FROM t LEFT OUTER JOIN u NATURAL JOIN v';
  expect(textOf(join)).toBe(join);
});

it('shows nothing of a statement that may be a secret', () => {
  expect(
    statementText("SELECT 'it''s' || E'it\\'s' || $$it's$$ || $a$it$$s$a$, 4.5e-7 -- it's\nFROM t1"),
  ).toBe('SELECT ? || ? || ? || ?, ? FROM t1');
  expect(statementText('SELECT "my table".a FROM "my table" WHERE b = $1 AND c = ?2')).toBe(
    'SELECT "my table".a FROM "my table" WHERE b = $1 AND c = ?2',
  );
  expect(statementText("INSERT INTO t VALUES ('never closed")).toBe('INSERT INTO t VALUES (?');
  expect(statementText(`SELECT ${'a, '.repeat(100)}b FROM t`)).toHaveLength(60);
});

it('shows the statement beside each place of a row, but none for a line that sends several', () => {
  const run = trackside(['run', '--reporter', 'json', STATEMENTS]);
  const { results } = JSON.parse(run.stdout) as JsonReport;
  const [bought, helped] = ['buy', 'buyThroughHelper'].map((label) =>
    results[0].violations.find(({ block }) => block?.label === label),
  );
  expect(bought?.message).toContain('(SELECT stock FROM products WHERE id = ?, at ');
  expect(bought?.interference?.last.statement).toBe('UPDATE products SET stock = ? WHERE id = ?');
  expect(helped?.interference?.first.location).toMatch(/statements\.mjs:\d+$/);
  expect(helped?.interference?.first).not.toHaveProperty('statement');
});

it('a statement is shown from where it begins, however many comments stand before it', () => {
  const comments = '/* \u001b[31m */ -- evil\n'.repeat(50_000);
  expect(statementText(`${comments}SELECT a FROM t WHERE b = 'secret'`)).toBe('SELECT a FROM t WHERE b = ?');
  expect(statementText(comments)).toBe('');
});
