import type { TableDefinition } from './plan.ts';

/*
 * SQLite's dialect, as far as it is not PostgreSQL's: quotes, parameters, `OR IGNORE`, and `CREATE TABLE`, whose columns need
 * no types. What is left is put into words that PostgreSQL's parser takes.
 */

export interface SqliteStatement {
  /** For PostgreSQL's parser; null for what reads and changes no rows. */
  readonly text: string | null;
  readonly definition: TableDefinition | null;
  /** The tables that it seems to name, in case that it cannot be parsed. */
  readonly tables: readonly string[];
  /** `OR IGNORE`, `OR REPLACE`. */
  readonly orAct: 'nothing' | 'update' | null;
}

type TokenKind = 'word' | 'name' | 'string' | 'param' | 'other';

interface Token {
  readonly kind: TokenKind;
  /** Without quotes for a name. */
  readonly text: string;
}

const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[?]\d*|[:@$][A-Za-z_]\w*(?:::\w+)*|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|::|\|\||[<>=!]=|<>|->>?|[\s\S]/g;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^(?:\s|--|\/\*)/.test(token)) continue;
    if (/^["`[]/.test(token) && token.length > 1) tokens.push({ kind: 'name', text: unquoted(token) });
    else if (/^'/.test(token)) tokens.push({ kind: 'string', text: token });
    else if (/^(?:[?]|[:@$][A-Za-z_])/.test(token)) tokens.push({ kind: 'param', text: token });
    else if (/^[A-Za-z_\u0080-\uffff]/.test(token)) tokens.push({ kind: 'word', text: token });
    else tokens.push({ kind: 'other', text: token });
  }
  return tokens;
}

function unquoted(token: string): string {
  const quote = token[0];
  return quote === '[' ? token.slice(1, -1) : token.slice(1, -1).replaceAll(quote + quote, quote);
}

/** The names of the parameters in the order of their numbers; null for one without a name. */
export function parameterNames(text: string): (string | null)[] {
  const names: (string | null)[] = [];
  for (const token of tokensOf(text)) if (token.kind === 'param') numberOf(token.text, names);
  return names;
}

/** The number of a parameter, by the rules of SQLite. */
function numberOf(parameter: string, names: (string | null)[]): number {
  if (parameter === '?') return names.push(null);
  if (parameter[0] === '?') {
    const number = Math.min(Number(parameter.slice(1)), 32_766);
    while (names.length < number) names.push(null);
    return number;
  }
  const name = parameter.slice(1);
  const known = names.indexOf(name);
  return known >= 0 ? known + 1 : names.push(name);
}

export function sqliteStatements(text: string): SqliteStatement[] {
  return split(tokensOf(text)).map(statementOf);
}

/** At semicolons, but for those between `BEGIN` and `END` of a trigger. */
function split(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [];
  let statement: Token[] = [];
  for (const token of tokens) {
    const isTrigger = is(statement[0], 'CREATE') && statement.slice(1, 3).some((each) => is(each, 'TRIGGER'));
    if (token.text === ';' && (!isTrigger || is(statement.at(-1), 'END'))) {
      if (statement.length > 0) statements.push(statement);
      statement = [];
    } else {
      statement.push(token);
    }
  }
  if (statement.length > 0) statements.push(statement);
  return statements;
}

function is(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word;
}

const ROWS: ReadonlySet<string> = new Set([
  ...['SELECT', 'WITH', 'VALUES', 'INSERT', 'REPLACE', 'UPDATE', 'DELETE'],
  ...['BEGIN', 'COMMIT', 'END', 'ROLLBACK', 'SAVEPOINT', 'RELEASE'],
]);

function statementOf(given: readonly Token[]): SqliteStatement {
  const nothing = { text: null, definition: null, tables: [], orAct: null };
  const [first] = given;
  if (is(first, 'CREATE')) return { ...nothing, definition: definitionIn(given) };
  if (first?.kind !== 'word' || !ROWS.has(first.text.toUpperCase())) return nothing;
  let tokens = [...given];
  if (is(first, 'BEGIN')) tokens = tokens.slice(0, 1);
  let orAct: SqliteStatement['orAct'] = null;
  if (is(first, 'REPLACE')) {
    tokens[0] = { kind: 'word', text: 'INSERT' };
    orAct = 'update';
  }
  const or = tokens.findIndex(
    (token, i) => is(token, 'OR') && /^(?:INSERT|UPDATE)$/i.test(tokens[i - 1]?.text ?? ''),
  );
  if (or >= 0) {
    if (is(tokens[or + 1], 'IGNORE')) orAct = 'nothing';
    else if (is(tokens[or + 1], 'REPLACE')) orAct = 'update';
    tokens.splice(or, 2);
  }
  tokens = withoutTables(tokens);
  const names: (string | null)[] = [];
  const text = tokens.map((token, i) => written(token, tokens[i + 1], names)).join(' ');
  return { text, definition: null, tables: tablesNamed(tokens), orAct };
}

/** `ON CONFLICT (t.key)`: what has to be unique is of the table that it is about anyway. */
function withoutTables(tokens: readonly Token[]): Token[] {
  const found: Token[] = [];
  let isTarget = false;
  for (const token of tokens) {
    if (token.text === '(' && is(found.at(-1), 'CONFLICT') && is(found.at(-2), 'ON')) isTarget = true;
    else if (token.text === ')') isTarget = false;
    if (isTarget && token.text === '.') found.pop();
    else found.push(token);
  }
  return found;
}

/** Words that PostgreSQL keeps to itself, and SQLite does not. */
const RESERVED: ReadonlySet<string> = new Set(
  [
    'analyse any array asymmetric authorization binary both concurrently current_catalog current_role current_schema',
    'current_user fetch for freeze grant ilike initially lateral leading localtime localtimestamp only placing role',
    'session_user similar some symmetric system_user tablesample trailing user variadic verbose',
  ]
    .join(' ')
    .split(' '),
);

/** Words that SQLite takes for names where no join follows: `SELECT left FROM lots`. */
const JOINS = /^(?:cross|full|inner|left|natural|outer|right)$/i;
const JOINED = /^(?:cross|full|inner|join|left|outer|right)$/i;

function isName({ kind, text }: Token, next: Token | undefined): boolean {
  if (kind !== 'word') return kind === 'name';
  if (JOINS.test(text)) return next?.kind !== 'word' || !JOINED.test(next.text);
  return RESERVED.has(text.toLowerCase());
}

function written(token: Token, next: Token | undefined, names: (string | null)[]): string {
  const { kind, text } = token;
  if (isName(token, next)) return `"${text.replaceAll('"', '""')}"`;
  if (kind === 'param') return `$${numberOf(text, names)}`;
  return text === '==' ? '=' : text;
}

function tablesNamed(tokens: readonly Token[]): string[] {
  const found = new Set<string>();
  tokens.forEach((token, i) => {
    const next = tokens[i + 1];
    if (token.kind !== 'word' || !/^(?:FROM|INTO|UPDATE|JOIN)$/i.test(token.text)) return;
    if (next?.kind === 'name' || next?.kind === 'word') found.add(next.text);
  });
  return [...found];
}

/** `CREATE TABLE t (id INTEGER PRIMARY KEY, …)`. */
function definitionIn(tokens: readonly Token[]): TableDefinition | null {
  let at = 1;
  while (is(tokens[at], 'TEMP') || is(tokens[at], 'TEMPORARY')) at++;
  if (!is(tokens[at], 'TABLE')) return null;
  at++;
  if (is(tokens[at], 'IF')) at += 3;
  if (tokens[at + 1]?.text === '.') at += 2;
  const table = tokens[at]?.text;
  if (table === undefined || tokens[at + 1]?.text !== '(') return null;
  const columns: string[] = [];
  let key: string[] = [];
  for (const part of parts(tokens.slice(at + 2))) {
    const primary = part.findIndex((token, i) => is(token, 'PRIMARY') && is(part[i + 1], 'KEY'));
    const isConstraint = /^(?:CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN)$/i.test(
      part[0].kind === 'word' ? part[0].text : '',
    );
    if (!isConstraint) {
      columns.push(part[0].text);
      if (primary > 0) key = [part[0].text];
    } else if (primary >= 0) {
      key = (parts(part.slice(primary + 3)) ?? []).map((each) => each[0].text);
    }
  }
  return { table, columns, key };
}

/** What stands between commas, up to the closing parenthesis. */
function parts(tokens: readonly Token[]): Token[][] {
  const found: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.text === '(') depth++;
    if (token.text === ')' && depth-- === 0) break;
    if (token.text === ',' && depth === 0) found.push([]);
    else found.at(-1)?.push(token);
  }
  return found.filter((part) => part.length > 0);
}
