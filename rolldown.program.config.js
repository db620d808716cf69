import { readFileSync } from 'node:fs';

// What is loaded in the process of a program, in few files: loading a hundred small modules takes longer than to start a
// process. They lie where paths relative to a module are what tsc makes of them, some in the place of its own.
const common = {
  platform: 'node',
  external: [/^node:/, /^oxc-/],
};
const output = { dir: 'dist/node/loader', format: 'esm', minify: true };

const BUNDLED = ['magic-string', '@jridgewell/sourcemap-codec'];

const licenses = {
  name: 'licenses',
  generateBundle() {
    for (const name of BUNDLED) {
      const source = readFileSync(new URL(`node_modules/${name}/LICENSE`, import.meta.url), 'utf8');
      this.emitFile({ type: 'asset', fileName: `${name.replace(/^.*\//, '')}-license.txt`, source });
    }
  },
};

const program = {
  ...common,
  plugins: [licenses],
  input: {
    register: 'src/node/loader/register.ts',
    start: 'src/node/loader/start.ts',
    'hooks-thread': 'src/node/loader/hooks-thread.ts',
    instrumenter: 'src/node/loader/instrumenter.ts',
    'worker-hooks': 'src/node/workers/hooks-thread.ts',
    'checker-thread': 'src/node/workers/checker-thread.ts',
  },
  output: {
    ...output,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].chunk.js',
    codeSplitting: {
      groups: [
        // What each thread for hooks needs; what each thread of a program needs besides; what writes and checks a trace.
        {
          name: 'loading',
          test: /src.node.(loader.(hooks|lazy-transformer)|workers.cached-transformer)\.ts$/,
          priority: 3,
        },
        { name: 'trace', test: /src.node.runtime.sinks/, priority: 2 },
        { name: 'program', test: /src.node.loader.(program|standalone|instrumenting)\.ts$/, priority: 1 },
      ],
    },
  },
};

// What runs in a worker before anything else, at once: only `require` does that.
const worker = {
  ...common,
  input: {
    'worker-boot': 'src/node/workers/boot.ts',
    'worker-program': 'src/node/workers/program.ts',
    'worker-schedule': 'src/node/schedule/schedule.ts',
  },
  output: {
    ...output,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'worker-[name].chunk.cjs',
  },
};

// What instrumented modules import is one file each.
const imported = ['probes-module', 'models-module'].map((name) => ({
  ...common,
  input: { [name]: `src/node/loader/${name}.ts` },
  output: { ...output, entryFileNames: '[name].js' },
}));

export default [program, worker, ...imported];
