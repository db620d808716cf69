import { type CallExpression, type Expression, forEachChild, type Node } from '../instrument/ast.ts';
import { parseSync } from '../instrument/parser.ts';
import { languageOf } from './module-kind.ts';

/** Functions of test runners that are given what a test does. */
const TAKES_TESTS: ReadonlySet<string> = new Set([
  ...['test', 'it', 'bench', 'fit', 'xit', 'xtest'],
  ...['beforeEach', 'afterEach', 'beforeAll', 'afterAll', 'before', 'after', 'aroundEach', 'aroundAll'],
  ...['onTestFinished', 'onTestFailed'],
]);

const MARK = '/* trackside-ignore-next-line: a test is not meant to be atomic */';

/** By its name or by what it imports; elsewhere `test` and `after` may be anything. */
const TEST_FILE = /[._-](?:test|spec)\.[cm]?[jt]sx?$|[\\/]__tests__[\\/]/;
const IMPORTS_RUNNER = /['"](?:vitest|@jest\/globals|node:test)['"]/;

/**
 * Tests and hooks are async functions, but no blocks: a comment says so to the instrumenter. It is put at the end of the
 * line before, where it moves nothing.
 */
export function withTestsMarked(path: string, source: string): string {
  if (!TEST_FILE.test(path) && !IMPORTS_RUNNER.test(source)) return source;
  const { program, comments } = parseSync(path, source, { lang: languageOf(path) });
  const places = new Set<number>();
  const templates: { start: number; end: number }[] = [];
  const look = (node: Node): void => {
    if (node.type === 'TemplateLiteral') templates.push(node);
    if (node.type === 'CallExpression' && takesTest(node))
      for (const { type, start } of node.arguments)
        if (type === 'ArrowFunctionExpression' || type === 'FunctionExpression')
          places.add(source.lastIndexOf('\n', start));
    forEachChild(node, look);
  };
  look(program);
  const within = (ranges: readonly { start: number; end: number }[], at: number) =>
    ranges.find(({ start, end }) => start < at && at <= end);
  let marked = source;
  for (const lineEnd of [...places].sort((a, b) => b - a)) {
    if (lineEnd < 0 || within(templates, lineEnd) !== undefined) continue;
    // Nothing can be said behind `//`, but in front of it.
    const at = within(comments, lineEnd)?.start ?? lineEnd;
    marked = `${marked.slice(0, at)}${MARK}${marked.slice(at)}`;
  }
  return marked;
}

/** `test(…)`, `test.only(…)`, `it.each(table)(…)`, `` test.each`…`(…) ``. */
function takesTest({ callee }: CallExpression): boolean {
  let at: Expression = callee;
  for (;;) {
    if (at.type === 'MemberExpression') at = at.object as Expression;
    else if (at.type === 'CallExpression') at = at.callee;
    else if (at.type === 'TaggedTemplateExpression') at = at.tag;
    else return at.type === 'Identifier' && TAKES_TESTS.has(at.name);
  }
}
