// What Jest loads in the realm of a test file, which takes CommonJS only: three files and what they share.
export default {
  input: {
    'jest-start': 'src/node/testing/jest-start.ts',
    'jest-hooks': 'src/node/testing/jest-hooks.ts',
    'jest-probes': 'src/node/testing/jest-probes.ts',
  },
  platform: 'node',
  external: [/^node:/],
  output: {
    dir: 'dist/node/testing',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'jest-[name].cjs',
    minify: true,
  },
};
