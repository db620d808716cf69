import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instrument } from '../../../src/node/instrument/instrument.ts';
import { DEFAULTS } from '../../support/instrumented-text.ts';
import { passThroughProbes } from '../../support/pass-through-probes.ts';

const MODULES = new URL('../../../node_modules/', import.meta.url).pathname;
const LARGEST = 40_000;
/** Every so many of the files are looked at. */
const EVERY = 12;

/** JavaScript of the packages that are installed here, without the largest files. */
function sources(): string[] {
  return readdirSync(MODULES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[cm]?js$/.test(path) && !path.startsWith('playwright-core'))
    .map((path) => join(MODULES, path))
    .filter((path) => {
      // highlight.js is a package, and so a folder.
      const found = statSync(path);
      return found.isFile() && found.size < LARGEST;
    })
    .filter((_, i) => i % EVERY === 0);
}

function formatOf(path: string, source: string): 'module' | 'commonjs' | undefined {
  const formats = ['module', 'commonjs'] as const;
  return formats.find(
    (sourceType) => parseSync(path, source, { lang: 'js', sourceType }).errors.length === 0,
  );
}

test('the files of real packages are valid programs afterwards, with as many lines', () => {
  const broken: string[] = [];
  let count = 0;
  for (const path of sources()) {
    const source = readFileSync(path, 'utf8');
    const format = formatOf(path, source);
    if (format === undefined) continue;
    const { code, warnings } = instrument(source, { ...DEFAULTS, path, format });
    const parsed = parseSync(path, code, { lang: 'js', sourceType: format, showSemanticErrors: true });
    const sameLines = code.split('\n').length === source.split('\n').length;
    if (parsed.errors.length > 0 || !sameLines || warnings.length > 0) broken.push(path);
    count++;
  }
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThan(100);
});

describe('real packages work with probes in them', () => {
  const key = Symbol.for('trackside.runtime');
  const slots = globalThis as unknown as Record<symbol, unknown>;
  let probes = 0;
  beforeAll(() => {
    slots[key] = passThroughProbes(() => probes++);
  });
  afterAll(() => {
    delete slots[key];
  });

  /** `require` that instruments what it loads, CommonJS packages below node_modules included. */
  function requireInstrumented(name: string): unknown {
    const cache = new Map<string, { exports: unknown }>();
    const load = (request: string, from: string): unknown => {
      const native = createRequire(from);
      const path = native.resolve(request);
      if (!path.endsWith('js')) return native(request);
      const known = cache.get(path);
      if (known !== undefined) return known.exports;
      const module = { exports: {} };
      cache.set(path, module);
      const { code, warnings } = instrument(readFileSync(path, 'utf8'), {
        ...DEFAULTS,
        path,
        format: 'commonjs',
      });
      expect(warnings).toEqual([]);
      const main = new Function('exports', 'require', 'module', '__filename', '__dirname', code);
      const inner = (next: string): unknown => load(next, path);
      main.call(module.exports, module.exports, inner, module, path, dirname(path));
      return module.exports;
    };
    const before = probes;
    const result = load(name, import.meta.filename);
    expect(probes).toBeGreaterThan(before);
    return result;
  }

  test('picomatch matches', () => {
    const picomatch = requireInstrumented('picomatch') as typeof import('picomatch');
    const matches = picomatch('src/**/*.{js,ts}', { ignore: '**/*.test.*' });
    const paths = ['src/a.js', 'src/b/c.ts', 'src/b/c.test.ts', 'lib/a.js', 'src/a.mjs'];
    expect(paths.filter((path) => matches(path))).toEqual(['src/a.js', 'src/b/c.ts']);
  });

  test('commander parses, prints help and waits for actions', async () => {
    const { Command } = requireInstrumented('commander') as typeof import('commander');
    const seen: unknown[] = [];
    const program = new Command('tool').option('-n, --number <n>', 'a number', Number).exitOverride();
    program.command('run <file> [args...]').action(async (file, args, options, command) => {
      await null;
      seen.push(file, args, options, command.parent.opts());
    });
    await program.parseAsync(['-n', '5', 'run', 'a.js', 'x', 'y'], { from: 'user' });
    expect(seen).toEqual(['a.js', ['x', 'y'], {}, { number: 5 }]);
    expect(program.helpInformation()).toMatch(/-n, --number <n> +a number/);
    program.configureOutput({ writeErr: () => {} });
    expect(() => program.parse(['--unknown'], { from: 'user' })).toThrow("unknown option '--unknown'");
  });

  test('fast-check finds and shrinks counterexamples', async () => {
    const fc = requireInstrumented('fast-check') as typeof import('fast-check');
    const sorted = fc.check(
      fc.property(fc.array(fc.integer()), (xs) => xs.length < 3 || xs[0] <= xs[1]),
      { seed: 1 },
    );
    expect(sorted.failed).toBe(true);
    expect(sorted.counterexample?.[0]).toHaveLength(3);
    const race = await fc.check(
      fc.asyncProperty(fc.scheduler(), async (s) => {
        const order: number[] = [];
        for (const i of [1, 2, 3]) s.schedule(Promise.resolve(i)).then((x) => order.push(x));
        await s.waitAll();
        return order.join() !== '3,2,1';
      }),
      { seed: 1 },
    );
    expect(race.failed).toBe(true);
  });

  test('ajv compiles a schema', () => {
    const { Ajv } = requireInstrumented('ajv') as typeof import('ajv');
    const validate = new Ajv({ allErrors: true }).compile({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'array', items: { $ref: '#/$defs/n' } } },
      $defs: { n: { type: 'integer', minimum: 2 } },
    });
    expect(validate({ a: [2, 3] })).toBe(true);
    expect(validate({ a: [1, 'x'] })).toBe(false);
    expect(validate.errors?.map((error) => error.keyword)).toEqual(['minimum', 'type']);
  });

  test('postcss parses and prints', () => {
    const postcss = requireInstrumented('postcss') as {
      parse(css: string): {
        walkDecls(f: (d: { prop: string; value: string }) => void): void;
        toString(): string;
      };
    };
    const root = postcss.parse('a { color: red; b: c }');
    root.walkDecls((declaration) => {
      declaration.value = declaration.prop.toUpperCase();
    });
    expect(root.toString()).toBe('a { color: COLOR; b: B }');
  });
});
