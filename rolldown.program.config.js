import { readFileSync } from 'node:fs';

/*
 * What is loaded in the process of a program, in few files: loading a hundred small modules takes longer than to start a
 * process. They lie where paths relative to a module are what tsc makes of them, some in the place of its own.
 */
const FOLDER = 'dist/node/loader';

// In the source, functions of Node are imported by name. Here they are taken when the file is loaded, so that they are
// Node's own whatever the program, or what we do to it, has put into their place since.
const ownFunctions = {
  name: 'own-functions',
  resolveId: (id) => (id.startsWith('node:') ? `\0${id}` : null),
  async load(path) {
    if (!path.startsWith('\0node:')) return null;
    const id = path.slice(1);
    const names = Object.keys(await import(id)).filter((name) => /^\w+$/.test(name) && name !== 'default');
    const taken = names.map((name) => `export const ${name} = /* @__PURE__ */ taken('${name}');`);
    return [
      `const all = /* @__PURE__ */ process.getBuiltinModule('${id}');`,
      'const taken = (name) => all[name];',
      'export default all;',
      ...taken,
    ].join('\n');
  },
};

// What is loaded later comes by the same way as what is loaded first: with code that was kept.
const ownRequire = {
  name: 'own-require',
  transform: (code) =>
    code.replaceAll(
      /createRequire\((?:import\.meta\.url|new URL\('\.\.\/loader\/(?:instrumenter\.cjs)?', import\.meta\.url\))\)/g,
      'require',
    ),
};

const BUNDLED = ['magic-string', '@jridgewell/sourcemap-codec', 'oxc-parser'];

const licenses = {
  name: 'licenses',
  generateBundle() {
    for (const name of BUNDLED) {
      const source = readFileSync(new URL(`node_modules/${name}/LICENSE`, import.meta.url), 'utf8');
      this.emitFile({ type: 'asset', fileName: `${name.replace(/^.*\//, '')}-license.txt`, source });
    }
  },
};

const common = { platform: 'node', external: [/^oxc-\w+$/, 'libpg-query'] };

// CommonJS, because compiled code can be kept for it on every Node: see src/startup.
const parts = {
  ...common,
  input: {
    'main-thread': 'src/node/launch/main-thread.ts',
    hooks: 'src/node/loader/hooks.ts',
    instrumenter: 'src/node/loader/instrumenter.ts',
    schedule: 'src/node/schedule/schedule.ts',
    stores: 'src/node/stores/index.ts',
    'sql-parser': 'src/node/stores/sql/parser-thread.ts',
    'worker-program': 'src/node/workers/program.ts',
    'checker-thread': 'src/node/workers/checker-thread.ts',
  },
  plugins: [ownFunctions, ownRequire, licenses],
  output: {
    dir: FOLDER,
    format: 'cjs',
    minify: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].chunk.cjs',
    codeSplitting: {
      groups: [
        // What each thread for hooks needs; what writes and checks a trace; what each thread of a program needs besides.
        {
          name: 'loading',
          test: /src.node.(loader.(cached-transformer|lazy-transformer|modules))\.ts$/,
          priority: 3,
        },
        { name: 'trace', test: /src.node.runtime.sinks/, priority: 2 },
        { name: 'program', test: /src.node.(launch.program|loader.install)\.ts$/, priority: 1 },
      ],
    },
  },
};

/** A file that needs no other one of ours. */
const single = (name, source, format) => ({
  ...common,
  input: { [name]: source },
  plugins: format === 'cjs' ? [ownFunctions] : [],
  external: format === 'cjs' ? [] : [/^node:/],
  output: {
    dir: FOLDER,
    format,
    minify: true,
    entryFileNames: `[name].${format === 'cjs' ? 'cjs' : 'js'}`,
  },
});

export default [
  parts,
  single('start', 'src/node/launch/start.ts', 'cjs'),
  single('worker-boot', 'src/node/workers/boot.ts', 'cjs'),
  single('checker-boot', 'src/node/workers/checker-boot.ts', 'cjs'),
  single('hooks-thread', 'src/node/loader/hooks-thread.ts', 'esm'),
  single('probes-module', 'src/node/loader/probes-module.ts', 'esm'),
  single('models-module', 'src/node/loader/models-module.ts', 'esm'),
];
