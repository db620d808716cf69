import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileFunction, createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { JestConfig, withTrackside } from '../../../src/node/testing/jest.ts';
import type { createTransformer, TransformerConfig } from '../../../src/node/testing/jest-transformer.ts';
import { temporaryFolder } from '../../cli/run.ts';

/*
 * What Jest does with a configuration, by hand: files go through the transformer and run as CommonJS in a realm of their
 * own, the setup files first. Jest itself runs in runner-versions.test.ts.
 */

const BUILT = fileURLToPath(new URL('../../../dist/node/testing/', import.meta.url));
const folder = temporaryFolder();
// What is put there goes when this process ends, which somebody else may do for it.
process.env.TMPDIR = folder.path;

folder.write(
  'plain.cjs',
  `exports.process = (source, path, options) => ({ code: source, seen: [path, options] });`,
);
folder.write(
  'configured.cjs',
  `exports.createTransformer = ({ banner }) => ({
  canInstrument: true,
  process: (source) => ({ code: banner + source }),
  getCacheKey: () => banner,
});`,
);
const STOCK = `exports.Stock = class Stock {
  left = 10;
  async sell(count) {
    const left = this.left;
    await null;
    this.left = left - count;
  }
  async reserve(count) {
    this.left = this.left - count;
    await null;
  }
};
`;
const stock = folder.write('stock.js', STOCK);

async function configured(config: JestConfig = {}): Promise<JestConfig> {
  const jest = (await import(pathToFileURL(`${BUILT}jest.js`).href)) as {
    withTrackside: typeof withTrackside;
  };
  return jest.withTrackside({ rootDir: folder.path, transform: { '\\.js$': './plain.cjs' }, ...config });
}

async function transformerOf({ transform }: JestConfig) {
  const [path, config] = Object.values(transform ?? {})[0] as unknown as [string, TransformerConfig];
  const { default: module } = (await import(pathToFileURL(path).href)) as {
    default: { createTransformer: typeof createTransformer };
  };
  return module.createTransformer(config);
}

describe('the transformer', () => {
  it('instruments what is the project’s, and hands it on to the one that was there', async () => {
    const { process } = await transformerOf(await configured());
    const result = process(STOCK, stock, { its: 'own' });
    expect(result.code).toContain('trackside.runtime');
    expect(result).toMatchObject({ seen: [stock, { its: 'own' }] });
  });

  it('leaves packages, and files with calls that Jest moves, as they are', async () => {
    const { process } = await transformerOf(await configured());
    const mocking = `jest.mock('./a'); ${STOCK}`;
    expect(process(mocking, stock, {}).code).toBe(mocking);
    expect(process(STOCK, join(folder.path, 'node_modules/a/index.js'), {}).code).toBe(STOCK);
  });

  it('configures the one that was there, and asks it for its key', async () => {
    const config = (banner: string) =>
      configured({ transform: { '\\.js$': ['<rootDir>/configured.cjs', { banner }] } });
    const [one, two] = await Promise.all(
      ['/* one */', '/* two */'].map(async (b) => transformerOf(await config(b))),
    );
    expect(one.process('1;', stock, {}).code).toBe('/* one */1;');
    expect(one.canInstrument).toBe(true);
    expect(one.getCacheKey?.('1;', stock, {})).not.toBe(two.getCacheKey?.('1;', stock, {}));
  });
});

/** What runs in a realm of its own, with the hooks that setup files have registered. */
async function inRealm(config: JestConfig) {
  const { process: transformed } = await transformerOf(config);
  const context = createContext({ ...config.globals });
  // As in Jest's environment for Node: what belongs to Node is shared, what belongs to the language is not.
  const language: string[] = runInContext('Object.getOwnPropertyNames(globalThis)', context);
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!language.includes(name)) Reflect.set(context, name, Reflect.get(globalThis, name));
  const hooks = { afterEach: [] as (() => void)[], afterAll: [] as (() => void)[] };
  for (const name of ['afterEach', 'afterAll'] as const)
    Reflect.set(context, name, (run: () => void) => hooks[name].push(run));
  const loaded = new Map<string, { exports: unknown }>();
  const load = (path: string): unknown => {
    const known = loaded.get(path);
    if (known !== undefined) return known.exports;
    const module = { exports: {} as unknown };
    loaded.set(path, module);
    const source = readFileSync(path, 'utf8');
    const code = path.startsWith(BUILT) ? source : transformed(source, path, {}).code;
    const parameters = ['module', 'exports', 'require', '__filename', '__dirname'];
    const run = compileFunction(code, parameters, { filename: path, parsingContext: context });
    const native = createRequire(path);
    const require = (name: string) =>
      /^(?:node:|url$)/.test(name) ? native(name) : load(native.resolve(name));
    run(module, module.exports, require, path, dirname(path));
    return module.exports;
  };
  for (const file of [...(config.setupFiles ?? []), ...(config.setupFilesAfterEnv ?? [])]) load(file);
  return { load, hooks, evaluate: (code: string) => runInContext(code, context) };
}

describe('in the realm of a test file', () => {
  it('fails the test that has just ended, with both lines, and is over when the file is', async () => {
    const { load, hooks, evaluate } = await inRealm(await configured());
    const { Stock } = load(stock) as {
      Stock: new () => Record<'sell' | 'reserve', (count: number) => unknown>;
    };
    const both = evaluate('(first, second) => Promise.all([first(), second()])');
    const checked = () => {
      for (const hook of hooks.afterEach) hook();
    };

    const fixed = new Stock();
    await both(
      () => fixed.reserve(1),
      () => fixed.reserve(2),
    );
    expect(checked).not.toThrow();

    const broken = new Stock();
    await both(
      () => broken.sell(1),
      () => broken.sell(2),
    );
    expect(checked).toThrow(/not atomic[\s\S]*stock\.js:4:[\s\S]*stock\.js:6:/);
    for (const hook of hooks.afterAll) hook();
  });
});
