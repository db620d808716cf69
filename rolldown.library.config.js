import { dirname, posix, relative, resolve, sep } from 'node:path';

/*
 * What users import, and what the plugins for test runners load: the entries of package.json and the files that these name by
 * their URLs, with what they share in chunks. Types come from tsc.
 */
const ROOT = import.meta.dirname;

const ENTRIES = [
  'index',
  'library',
  'node/launch/register',
  'node/loader/commonjs-names',
  'node/testing/vitest',
  'node/testing/vitest-setup',
  'node/testing/vitest-runner',
  'node/testing/jest',
  'node/testing/jest-transformer',
  'node/testing/check-process',
];

const MARK = 'trackside-root:';

/** `new URL('../x.js', import.meta.url)` means a file beside the module, wherever the module is bundled to. */
const relocate = {
  name: 'relocate',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    const folder = dirname(relative(resolve(ROOT, 'src'), id))
      .split(sep)
      .join('/');
    return code.replaceAll(
      /new URL\((['"`])(\.[^'"`]*)\1, import\.meta\.url\)/g,
      (_, quote, path) =>
        `new URL(${quote}${MARK}${posix.join('dist', folder, path)}${quote}, import.meta.url)`,
    );
  },
  renderChunk(code, { fileName }) {
    return code.replaceAll(MARK, `${posix.relative(posix.dirname(`dist/${fileName}`), '.')}/`);
  },
};

export default {
  input: Object.fromEntries(ENTRIES.map((name) => [name, `src/${name}.ts`])),
  platform: 'node',
  external: [/^node:/, /^oxc-\w+$/, /^vitest/, 'trackside:vitest'],
  plugins: [relocate],
  output: {
    dir: 'dist',
    format: 'esm',
    // Beside what `ownRequire` loads by its path.
    chunkFileNames: 'node/loader/[name].chunk.js',
    // Names of classes and functions stay, as errors tell them.
    minify: { mangle: { toplevel: false }, compress: true },
  },
};
