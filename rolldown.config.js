// The command line in one file: loading two hundred small modules takes longer than checking a small trace.
// The modules themselves, which tsc leaves beside it, are the library.
export default {
  input: 'src/cli/main.ts',
  platform: 'node',
  external: ['commander'],
  output: { file: 'dist/cli/main.js', format: 'esm', sourcemap: true, comments: false },
};
