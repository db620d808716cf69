/*
 * Source text of a JavaScript or TypeScript file → the same program with probes. Types are stripped afterwards, so that
 * the positions which are written into the probes are those of the file that people edit.
 */

import type remapping from '@jridgewell/remapping';
import type { TransformOptions } from 'oxc-transform';
import { type FileFacts, SiteBit } from '../../trace/site-facts.ts';
import { PACKAGE_PREFIX, PREFIX, type Probes } from '../probes.ts';
import { ownRequire } from '../support/own-require.ts';
import { lastDirective, type Program } from './ast.ts';
import { type BuiltFrom, builtSources, originsOf } from './built-sources.ts';
import { commonJsNames } from './commonjs-names.ts';
import { compiled, needsCompiler } from './compiled.ts';
import { markContinuations } from './continuations.ts';
import { hasDecorators } from './decorators.ts';
import { Dependence } from './dependence.ts';
import { fileFacts } from './file-facts.ts';
import { declareTemps, openScope } from './functions.ts';
import { ignoredLines } from './ignore-comments.ts';
import { type ExportedVariable, linkImports } from './imports.ts';
import { Lines } from './lines.ts';
import { markLocalObjects } from './local-objects.ts';
import { parseSync } from './parser.ts';
import { propertyPositions } from './property-positions.ts';
import { markMentions } from './read-uses.ts';
import { quote } from './references.ts';
import { Rewriter } from './rewriter.ts';
import { RULES } from './rules.ts';
import type { Scope } from './scope.ts';
import { analyseScopes } from './scopes.ts';
import { FileSites } from './sites.ts';
import { visitStatements } from './statements.ts';

export interface InstrumentOptions {
  /** Where the file is: the name of the source in its map. */
  path: string;
  format: 'module' | 'commonjs';
  language: 'js' | 'jsx' | 'ts' | 'tsx';
  /** What modules import the probes from. CommonJS finds them at `globalThis[Symbol.for('trackside.runtime')]`. */
  runtimeUrl: string;
  /** What a module imports `require`, `__dirname` and so on from, if it may use them as CommonJS does. */
  commonJsNamesUrl?: string;
  /** Which of the names that the file imports from there the other module changes, and where they are declared. */
  changingImports?: (specifier: string) => ReadonlyMap<string, ExportedVariable>;
  /** How reports call the file. */
  displayPath: string;
  /** Append a source map, and return it? Yes unless said otherwise: stacks then show the positions of the file. */
  wantMap?: boolean;
  /** Globs of labels of plain functions that are meant to be atomic. */
  atomic?: readonly string[];
  /** Globs of labels of functions whose calls take turns. */
  turns?: readonly string[];
  /** What the file was built from, if its source map says so. */
  builtFrom?: BuiltFrom;
  /** What a tsconfig asks for: decorators, JSX, class fields. JSX is kept unless this says otherwise. */
  transform?: Pick<TransformOptions, 'assumptions' | 'decorator' | 'jsx' | 'target' | 'typescript'>;
}

export interface Instrumented {
  code: string;
  /** JSON of the source map, if one was wanted and something was changed. */
  map: string | undefined;
  warnings: string[];
}

const STANDARD_DECORATORS =
  'has decorators, which Node does not know; only those of "experimentalDecorators" in tsconfig.json are compiled';

const RUNTIME_KEY = 'trackside.runtime';

export function instrument(source: string, options: InstrumentOptions): Instrumented {
  const { displayPath } = options;
  const parsed = parseSync(options.path, source, { lang: options.language, sourceType: options.format });
  const error = parsed.errors.find((e) => e.severity === 'Error');
  if (error !== undefined) {
    const offset = error.labels[0]?.start;
    const lines = new Lines(source);
    const at = offset === undefined ? '' : ` at ${lines.line(offset)}:${lines.column(offset)}`;
    return unchanged(source, options, `${error.message}${at}`);
  }
  try {
    const { rewriter, warnings } = rewrite(source, parsed, options);
    if (!options.transform?.decorator?.legacy && hasDecorators(parsed.program, source))
      warnings.push(`${displayPath}: ${STANDARD_DECORATORS}`);
    const positions = () => new Map([...propertyPositions(parsed.program, source), ...rewriter.moved]);
    return finish(rewriter, warnings, options, positions);
  } catch (problem) {
    // Known: expressions of thousands of operands, which generated code has.
    const deep = problem instanceof RangeError;
    return unchanged(source, options, deep ? 'its expressions are nested too deeply' : String(problem));
  }
}

export type { BuiltFrom } from './built-sources.ts';

export interface Parsed {
  program: Program;
  comments: Parameters<typeof ignoredLines>[0];
}

export interface Rewritten {
  rewriter: Rewriter;
  warnings: string[];
  ignored: ReadonlySet<number>;
}

function rewrite(source: string, { program, comments }: Parsed, options: InstrumentOptions): Rewritten {
  const lines = new Lines(source);
  const ignored = ignoredLines(comments, lines, options.displayPath);
  const origins = originsOf(program, lines, options, rewrite);
  const sites = new FileSites(source, lines, ignored.lines, origins?.origins);
  const { format, displayPath } = options;
  const rewriter = new Rewriter({
    source,
    path: options.path,
    sites,
    prefix: unusedPrefix(source, options.path),
    format,
    displayPath,
    atomic: options.atomic ?? [],
    turns: options.turns ?? [],
    visitors: RULES,
  });
  const scope = analyseScopes(program);
  markMentions(program);
  markLocalObjects(program);
  // Packages are made of callbacks, and what is meant to be one unit of work in them nobody can tell by that.
  if (!/[\\/]node_modules[\\/]/.test(options.path)) markContinuations(program);
  const imports = linkImports(rewriter, program, scope, options.changingImports);
  const token = openScope(rewriter, scope, 0, 'var') + imports;
  const dependence = new Dependence(program);
  visitStatements(rewriter, program.body);
  for (const node of dependence.acts.keys()) if (node.type === 'CallExpression') sites.addCall(node);
  const temps = declareTemps(rewriter.frame.temps);
  const names = commonJsNames(rewriter, program, scope, options.commonJsNamesUrl);
  if (rewriter.usedProbes.size > 0)
    addPrologue(
      rewriter,
      program,
      names +
        probesIn(rewriter, options, scope, {
          ...fileFacts(program, sites.nodes, dependence, (offset) => sites.isIgnored(offset)),
          ...(isOfPackage(options.path) ? { isOfPackage: true } : {}),
        }) +
        token +
        temps,
    );
  else if (names !== '') addPrologue(rewriter, program, names);
  const warnings = rewriter.warnings.map((warning) => `${displayPath}: ${warning}`);
  const onComments =
    origins === null ? [...ignored.warnings, ...ignored.unused(sites.spared)] : origins.warnings();
  return { rewriter, warnings: [...onComments, ...warnings], ignored: ignored.lines };
}

function isOfPackage(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path);
}

function unusedPrefix(source: string, path: string): string {
  const start = isOfPackage(path) ? PACKAGE_PREFIX : PREFIX;
  let prefix = `${start}_`;
  for (let i = 1; source.includes(prefix); i++) prefix = `${start}${i}_`;
  return prefix;
}

/** One line of text in front of the first statement, behind a hashbang and directives. */
function addPrologue(r: Rewriter, program: Program, text: string): void {
  const directive = lastDirective(program.body);
  if (directive !== undefined) r.edits.after(directive.end, `;${text}`);
  else r.edits.before(program.hashbang ? r.edits.lineAfter(program.hashbang.end) : 0, text);
}

/** Declares the probes, and what they need to know of the file. */
function probesIn(r: Rewriter, options: InstrumentOptions, scope: Scope, facts: FileFacts): string {
  const names = [...r.usedProbes, 'file'] as (keyof Probes)[];
  const { sites, prefix } = r;
  const probes =
    options.format === 'module'
      ? `import{${names.map((name) => `${name} as ${prefix}${name}`).join(',')}}from${quote(options.runtimeUrl)};`
      : `var{${names.map((name) => `${name}:${prefix}${name}`).join(',')}}=${runtimeIn(scope)};`;
  const mentions = facts.bits.flatMap((bits, site) => ((bits & SiteBit.mention) === 0 ? [] : [site]));
  const table = `[${sites.table.join(',')}],[${sites.texts.map(quote).join(',')}]`;
  // As text: most of it is only handed on, and never looked at in the program.
  const built = builtSources(sites, options.builtFrom);
  const mentioned = mentions.length === 0 && built === '' ? '' : `,[${mentions.join(',')}]`;
  const known = `,${quote(JSON.stringify(facts))}${mentioned}${built}`;
  const file = `var ${prefix}base=${prefix}file(${quote(options.displayPath)},${table}${known});`;
  return probes + file;
}

/** Lodash and its like declare a `Symbol` of their own, which is undefined yet where the prologue stands. */
function runtimeIn(scope: Scope): string {
  const runtime = `globalThis[Symbol.for(${quote(RUNTIME_KEY)})]`;
  const isHidden = scope.bindings.has('Symbol') || scope.bindings.has('globalThis');
  return isHidden ? `({}).constructor.constructor(${quote(`return ${runtime}`)})()` : runtime;
}

function joinedMaps(later: string, earlier: string): string {
  const join = ownRequire('@jridgewell/remapping') as typeof remapping;
  return join([later, earlier], () => null).toString();
}

function finish(
  r: Rewriter,
  warnings: string[],
  options: InstrumentOptions,
  positions: () => ReadonlyMap<number, number>,
): Instrumented {
  const changed = r.edits.isChanged;
  let code = changed ? r.edits.toString() : r.edits.source;
  const wantMap = options.wantMap ?? true;
  let map = changed && wantMap ? r.edits.map(options.path, positions(), r.prefix).toString() : undefined;
  if (needsCompiler(options)) {
    const result = compiled(code, options, r.prefix);
    if (typeof result === 'string') return unchanged(r.edits.source, options, result);
    warnings.push(...result.warnings);
    code = result.code;
    if (result.map !== undefined) map = map === undefined ? result.map : joinedMaps(result.map, map);
  }
  return { code: withMap(code, map), map, warnings };
}

/** The program must run, whatever it is that we cannot do. */
function unchanged(source: string, options: InstrumentOptions, why: string): Instrumented {
  const result = needsCompiler(options) ? compiled(source, options, PREFIX) : why;
  const { code, map } = typeof result === 'string' ? { code: source, map: undefined } : result;
  return {
    code: withMap(code, map),
    map,
    warnings: [`${options.displayPath}: not instrumented: ${why}`],
  };
}

function withMap(code: string, map: string | undefined): string {
  if (map === undefined) return code;
  const encoded = Buffer.from(map).toString('base64');
  return `${code}\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${encoded}`;
}
