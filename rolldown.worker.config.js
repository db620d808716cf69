// What is loaded in every worker of a program, and in the thread that writes the trace: few files, as loading a hundred
// small modules takes longer than to start a thread. They lie where paths relative to a module are what tsc makes of them.
const COMMON = {
  platform: 'node',
  external: [/^node:/, 'magic-string', 'picomatch', /^@jridgewell/, /^oxc-/],
};
const OUTPUT = { dir: 'dist/node/loader', minify: true };

// What runs in a worker before anything else, at once: only `require` does that.
const first = {
  ...COMMON,
  input: {
    'worker-boot': 'src/node/workers/boot.ts',
    'worker-program': 'src/node/workers/program.ts',
    'worker-schedule': 'src/node/schedule/schedule.ts',
  },
  output: {
    ...OUTPUT,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'worker-first-[name].cjs',
  },
};

const modules = {
  ...COMMON,
  input: {
    'worker-hooks': 'src/node/workers/hooks-thread.ts',
    'worker-instrumenter': 'src/node/workers/instrumenter.ts',
    'checker-thread': 'src/node/workers/checker-thread.ts',
  },
  output: { ...OUTPUT, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'worker-[name].js' },
};

export default [first, modules];
