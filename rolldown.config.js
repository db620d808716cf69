import { readFileSync } from 'node:fs';

// What every check needs is in these folders, but for what only other commands use.
const CHECK =
  /^.src.(formats|spec|check.(check|prepared-trace|results)|analyses.(dispatch|selection|load)|cli.(check|options|progress|reports|trace-copy)|report)/;
const OTHERS =
  /writer|formats.(convert|trk.(byte-builder|distinct|outgoing))|report.(info|analysis-list|html)/;
const EXACT =
  /^.src.analyses.(atomsanitizer|regiontrack|shared.(first-cycle|transaction-order|precedence|known-transactions|access-groups|lock-table|member-lists))/;
const COMMON = /^.src.(trace|cli.(exit|failure|tool|program|output|scratch))|node_modules.commander/;

function inProject(path) {
  return path.startsWith(import.meta.dirname) ? path.slice(import.meta.dirname.length) : path;
}

// The command line in few files: loading two hundred small modules takes longer than checking a small trace, and so
// does parsing code that is not needed. What is imported with `import()` gets a file of its own; all lie beside
// main.js, so that paths relative to a module are the same as where tsc puts it. The modules themselves, which tsc
// leaves there, are the library.
export default {
  input: 'src/cli/main.ts',
  platform: 'node',
  external: [/^node:/, 'magic-string', /^oxc-/],
  plugins: [
    {
      // commander loads this for commands that are programs of their own, of which there are none: three milliseconds.
      name: 'child-process-on-demand',
      transform(code, path) {
        if (!/commander.lib.command\.js$/.test(path)) return null;
        const onDemand = "{ spawn: (...args) => require('node:child_process').spawn(...args) }";
        // No line moves, so that the source map stays as it is.
        return { code: code.replace("require('node:child_process')", onDemand), map: null };
      },
    },
    {
      name: 'license-of-commander',
      generateBundle() {
        const source = readFileSync(new URL('node_modules/commander/LICENSE', import.meta.url), 'utf8');
        this.emitFile({ type: 'asset', fileName: 'commander-license.txt', source });
      },
    },
  ],
  output: {
    dir: 'dist/cli',
    format: 'esm',
    entryFileNames: 'main.js',
    chunkFileNames: '[name].chunk.js',
    sourcemap: true,
    codeSplitting: {
      // What nearly every command and every check needs, in three files instead of thirty.
      groups: [
        { name: 'common', test: (path) => COMMON.test(inProject(path)) },
        { name: 'exact', test: (path) => EXACT.test(inProject(path)) },
        { name: 'check', test: (path) => CHECK.test(inProject(path)) && !OTHERS.test(inProject(path)) },
      ],
    },
    minify: true,
  },
};
