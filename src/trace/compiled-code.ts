import { inflateRawSync } from 'node:zlib';

declare const WebAssembly: { Module: new (code: Uint8Array) => object };

/** A module as scripts/build/wasm.mjs writes it: compressed, since several bundles have it. Only where there is WebAssembly. */
export function compiledModule(code: string): object {
  return new WebAssembly.Module(inflateRawSync(Buffer.from(code, 'base64')));
}
