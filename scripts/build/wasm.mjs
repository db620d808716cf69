// `node scripts/build/wasm.mjs`: compiles the sources in wasm/ to WebAssembly, each into a module of its own. It needs clang and
// wasm-ld (`apt-get install clang lld`). A test tells when a source was changed without this.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { checksumOf } from './wasm-checksum.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const FLAGS = [
  '--target=wasm32',
  '-O3',
  '-msimd128',
  '-mbulk-memory',
  '-ffreestanding',
  '-nostdlib',
  '-Wall',
];
const LINKING = ['--no-entry', '--strip-all'];

build('std-lines', 'src/formats', 'STD_LINES', ['-z,stack-size=16384']);
build('chunk-names', 'src/formats/trk', 'CHUNK_NAMES', ['-z,stack-size=16384']);
build('trk-columns', 'src/formats/trk', 'TRK_COLUMNS', ['-z,stack-size=8192']);
build('accesses', 'src/analyses/shared', 'ACCESSES', ['--import-memory']);

function build(name, to, constant, linking) {
  const folder = mkdtempSync(join(tmpdir(), 'wasm-'));
  const output = join(folder, `${name}.wasm`);
  const source = join(root, `wasm/${name}.c`);
  const flags = [...LINKING, ...linking].map((flag) => `-Wl,${flag}`);
  execFileSync('clang', [...FLAGS, ...flags, '-o', output, source], { stdio: 'inherit' });
  const code = readFileSync(output);
  rmSync(folder, { recursive: true });
  const checksum = checksumOf(`${name}.c`);
  writeFileSync(
    join(root, to, `${name}-wasm.ts`),
    `// Written by scripts/build/wasm.mjs from wasm/${name}.c, whose SHA-256 with all it includes is the first line; not to be edited.
export const ${constant}_SOURCE = '${checksum}';
// biome-ignore format: one line
export const ${constant} = '${deflateRawSync(code, { level: 9 }).toString('base64')}';
`,
  );
  console.log(`${name}: ${code.length} bytes of WebAssembly`);
}
