// `node scripts/build/wasm.mjs`: compiles wasm/std-lines.c to WebAssembly, and puts that into a module of its own. It needs
// clang and wasm-ld (`apt-get install clang lld`). A test tells when the source was changed without this.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'wasm/std-lines.c');
const folder = mkdtempSync(join(tmpdir(), 'wasm-'));
const output = join(folder, 'std-lines.wasm');

const FLAGS = [
  '--target=wasm32',
  '-O3',
  '-msimd128',
  '-mbulk-memory',
  '-ffreestanding',
  '-nostdlib',
  '-Wall',
];
const LINKING = ['--no-entry', '--strip-all', '-z,stack-size=16384', '--initial-memory=1048576'];

execFileSync('clang', [...FLAGS, ...LINKING.map((flag) => `-Wl,${flag}`), '-o', output, source], {
  stdio: 'inherit',
});
const code = readFileSync(output);
rmSync(folder, { recursive: true });
const checksum = createHash('sha256').update(readFileSync(source)).digest('hex');
writeFileSync(
  join(root, 'src/formats/std-lines-wasm.ts'),
  `// Written by scripts/build/wasm.mjs from wasm/std-lines.c, whose SHA-256 is the first line; not to be edited.
export const STD_LINES_SOURCE = '${checksum}';
// biome-ignore format: one line
export const STD_LINES = '${code.toString('base64')}';
`,
);
console.log(`${code.length} bytes of WebAssembly`);
