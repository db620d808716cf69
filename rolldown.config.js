import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import remapping from '@jridgewell/remapping';
import MagicString from 'magic-string';

// What runs in a thread of its own and is not of one analysis: the thread loads nothing else.
const ANALYSING =
  /^.src.(trace.(barrier-rounds|batch|operation|growable|problem|unknown-name|printable)|analyses.(dispatch|selection|load)|check.(analysis-runs|shared-batches)|spec.boundary)\.ts/;
// What every check needs is in these folders, but for what only other commands use.
const CHECK =
  /^.src.(formats|spec|check.(check|analysis-runs|shared-batches|prepared-trace|results)|analyses.(dispatch|selection|load)|cli.(check|analysis-worker|early-thread|options|progress|reports|trace-copy)|report.(names|layout|style))/;
const OTHERS =
  /writer|formats.(convert|text-output|std-diagnosis|trk.(bit-builder|chunks|distinct|outgoing|packed-chunk|renaming))/;
// What is reported, and how.
const REPORTS = /^.src.report.(?!info|analysis-list)/;
const EXACT =
  /^.src.analyses.(atomsanitizer|regiontrack|shared.(first-cycle|transaction-order|precedence|known-transactions|access-groups|accesses-wasm|cells|compiled-accesses|joined-conflicts|late-blocks|lock-table|member-lists))/;
const COMMON = /^.src.(trace|cli.(exit|failure|tool|program\.|output|scratch))|node_modules.commander/;

function inProject(path) {
  return path.startsWith(import.meta.dirname) ? path.slice(import.meta.dirname.length) : path;
}

// What both builds have in common. CommonJS, because compiled code can be kept for it on every Node, and because Node
// starts it four milliseconds sooner.
const OUTPUT = {
  dir: 'dist/cli',
  format: 'cjs',
  // Code that was kept cannot import on Node 20. See also `importByMain`.
  dynamicImportInCjs: false,
  sourcemap: true,
  minify: true,
};

const OTHER_IMPORT = /\bimport\((?!\s*['"`])/g;

// Modules of Node that many runs do without, and that take half a millisecond or more to load. Only functions are imported from them.
const ON_DEMAND = ['node:crypto', 'node:child_process', 'node:fs/promises', 'node:module', 'node:zlib'];
const EXTERNAL = [
  new RegExp(`^node:(?!(?:${ON_DEMAND.map((id) => id.slice(5)).join('|')})$)`),
  'magic-string',
  /^oxc-\w+$/,
];

const onDemand = {
  name: 'on-demand',
  resolveId(id, _importer, { kind }) {
    if (!ON_DEMAND.includes(id)) return null;
    return kind === 'dynamic-import' ? { id, external: true } : `\0${id}`;
  },
  async load(path) {
    const id = path.slice(1);
    if (path[0] !== '\0' || !ON_DEMAND.includes(id)) return null;
    const module = `process.getBuiltinModule('${id}')`;
    const { default: whole, ...all } = await import(id);
    const names = Object.keys(all).filter((name) => typeof all[name] === 'function');
    return [
      ...names.map((name) => `export const ${name} = (...args) => ${module}.${name}(...args);`),
      ...(typeof whole === 'function' ? [`export default /* @__PURE__ */ ${module};`] : []),
    ].join('\n');
  },
};

// To unpack them, modules of Node would be loaded: see src/trace/compiled-code.ts.
const unpackedWasm = {
  name: 'unpacked-wasm',
  transform(code, path) {
    if (!path.endsWith('-wasm.ts')) return null;
    const unpacked = code.replace(/ = '([\w+/=]{100,})'/, (_, packed) => {
      return ` = '${inflateRawSync(Buffer.from(packed, 'base64')).toString('base64')}'`;
    });
    return { code: unpacked, map: null };
  },
};

const OFTEN_LOADED = new Set(['analysing', 'common', 'exact', 'check', 'reports']);

// Text with other letters takes twice the memory, and longer to load. They are in strings and regular expressions only.
const onlyAscii = {
  name: 'only-ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (!OFTEN_LOADED.has(chunk.name) || /^[\0-\x7f]*$/.test(chunk.code)) continue;
      const text = new MagicString(chunk.code);
      text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
      const map = JSON.parse(
        remapping([text.generateDecodedMap({ hires: 'boundary' }), chunk.map], () => null).toString(),
      );
      chunk.code = text.toString();
      chunk.map = map;
    }
  },
};

// Files that are known only when it runs, such as configurations, are imported by main.js, whose code is not kept.
const importByMain = {
  name: 'import-by-main',
  transform(code) {
    if (!code.includes('import(')) return null;
    return { code: code.replaceAll(OTHER_IMPORT, "globalThis[Symbol.for('trackside.import')]("), map: null };
  },
};

const { engines } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const OLDEST_NODE = { define: { OLDEST_NODE: JSON.stringify(engines.node.replace('>=', '')) } };

// What is loaded first and knows nothing of the rest: see src/cli/main.ts, start.ts and thread.ts.
const starting = (name, transform) => ({
  input: `src/cli/${name}.ts`,
  platform: 'node',
  external: /^node:/,
  transform,
  output: { ...OUTPUT, dynamicImportInCjs: true, entryFileNames: '[name].js' },
});

const main = {
  ...starting('main', { target: 'es2015', ...OLDEST_NODE }),
  external: './start.js',
  plugins: [
    {
      name: 'kind-of-modules',
      generateBundle() {
        this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
      },
    },
  ],
};

const supportedNode = {
  input: 'src/startup/supported-node.ts',
  platform: 'node',
  transform: { target: 'es2015', ...OLDEST_NODE },
  output: { dir: 'dist/startup', format: 'cjs', entryFileNames: '[name].cjs' },
};

// The command line in few files: loading two hundred small modules takes longer than checking a small trace, and so
// does parsing code that is not needed. What is imported with `import()` gets a file of its own; all lie beside
// main.js, so that paths relative to a module are the same as where tsc puts it. The modules themselves, which tsc
// leaves there, are the library.
const commandLine = {
  input: ['src/cli/command-line.ts', 'src/cli/analysis-thread.ts'],
  platform: 'node',
  external: EXTERNAL,
  checks: { pluginTimings: false },
  plugins: [
    onDemand,
    importByMain,
    unpackedWasm,
    onlyAscii,
    {
      name: 'license-of-commander',
      generateBundle() {
        const source = readFileSync(new URL('node_modules/commander/LICENSE', import.meta.url), 'utf8');
        this.emitFile({ type: 'asset', fileName: 'commander-license.txt', source });
      },
    },
  ],
  output: {
    ...OUTPUT,
    entryFileNames: '[name].chunk.js',
    chunkFileNames: '[name].chunk.js',
    codeSplitting: {
      // What nearly every command and every check needs, in few files instead of thirty.
      groups: [
        { name: 'analysing', test: (path) => ANALYSING.test(inProject(path)) },
        { name: 'common', test: (path) => COMMON.test(inProject(path)) },
        { name: 'exact', test: (path) => EXACT.test(inProject(path)) },
        { name: 'check', test: (path) => CHECK.test(inProject(path)) && !OTHERS.test(inProject(path)) },
        { name: 'reports', test: (path) => REPORTS.test(inProject(path)) },
      ],
    },
  },
};

export default [main, starting('start'), starting('thread'), commandLine, supportedNode];
