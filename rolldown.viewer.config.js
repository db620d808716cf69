import { readFileSync } from 'node:fs';

const STYLES = ['base', 'report', 'detail', 'code', 'diagram', 'trace', 'narrow', 'print'];

/** The style of the page, in one file: the order of the parts is that of the cascade. */
function styles() {
  return {
    name: 'styles',
    generateBundle() {
      const texts = STYLES.map((name) => readFileSync(`viewer/style/${name}.css`, 'utf8'));
      const source = texts
        .join('\n')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/\s*\n\s*/g, '\n')
        .trim();
      this.emitFile({ type: 'asset', fileName: 'viewer.css', source });
    },
  };
}

/** Inside of a page, these words would end the program or hide the rest of it. */
function fitForInlining() {
  return {
    name: 'fit-for-inlining',
    generateBundle(_options, bundle) {
      for (const { fileName, code } of Object.values(bundle)) {
        if (/<\/script|<!--/i.test(code ?? '')) this.error(`${fileName} cannot stand inside of a page`);
      }
    },
  };
}

export default [
  // The program of the html report and of the trace viewer: one script and one style, which they put into each page.
  {
    input: 'viewer/main.tsx',
    platform: 'browser',
    transform: { target: 'es2023' },
    plugins: [styles(), fitForInlining()],
    output: {
      dir: 'dist/viewer',
      entryFileNames: 'viewer.js',
      format: 'iife',
      minify: true,
      comments: false,
    },
  },
  // What colours code when a page is rendered, with the languages that it knows.
  {
    input: 'viewer/highlighter.ts',
    platform: 'node',
    output: { dir: 'dist/viewer', entryFileNames: 'highlighter.cjs', format: 'cjs', minify: true },
  },
];
