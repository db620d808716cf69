import { inflateRawSync } from 'node:zlib';

declare const WebAssembly: { Module: new (code: Uint8Array) => object };

/** The first of the bytes by which a module is recognised; nothing compressed starts like it. */
const MAGIC = 0;

/**
 * A module as scripts/build/wasm.mjs writes it: compressed, since several bundles have it. In the command line it is not, as Node loads
 * thirty modules to unpack it. Only where there is WebAssembly.
 */
export function compiledModule(code: string): object {
  const bytes = Buffer.from(code, 'base64');
  return new WebAssembly.Module(bytes[0] === MAGIC ? bytes : inflateRawSync(bytes));
}
