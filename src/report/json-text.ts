/** Characters that JSON lets stand as they are, but that a terminal or an editor would obey. */
const UNSAFE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** `value` as JSON, in which no name from a trace can move the cursor or reorder the text around it. */
export function jsonText(value: unknown): string {
  // Control characters and lone surrogates are escaped by `stringify` itself.
  return JSON.stringify(value, null, 2).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same, as a part of a larger document that starts `depth` levels in. */
export function jsonPart(value: unknown, depth: number): string {
  return jsonText(value).replaceAll('\n', `\n${'  '.repeat(depth)}`);
}
