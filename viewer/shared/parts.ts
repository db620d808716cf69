import type { PartKind } from '../../src/report/html-page.ts';

/** The packed parts of a kind that the page holds, in order. */
export function partsOf(kind: PartKind): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`script[data-part="${kind}"]`)];
}

export async function unpackedText(part: HTMLElement): Promise<string> {
  return new TextDecoder().decode(await unpackedBytes(part));
}

export async function unpackedBytes(part: HTMLElement): Promise<Uint8Array<ArrayBuffer>> {
  const packed = bytesOf(part.textContent ?? '');
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Browsers learned to do this by themselves only lately, and much faster. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const fromBase64 = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> })
    .fromBase64;
  if (fromBase64 !== undefined) return fromBase64.call(Uint8Array, base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
