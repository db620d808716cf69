// What is loaded in every worker of a program, and in the thread that writes the trace: few files, as loading a hundred
// small modules takes longer than to start a thread. They lie where paths relative to a module are what tsc makes of them.
export default {
  input: {
    'worker-boot': 'src/node/workers/boot.ts',
    'worker-hooks': 'src/node/workers/hooks-thread.ts',
    'worker-instrumenter': 'src/node/loader/transformer.ts',
    'checker-thread': 'src/node/workers/checker-thread.ts',
  },
  platform: 'node',
  external: [/^node:/, 'magic-string', 'picomatch', /^@jridgewell/, /^oxc-/],
  output: {
    dir: 'dist/node/loader',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'worker-[name].js',
    minify: true,
  },
};
