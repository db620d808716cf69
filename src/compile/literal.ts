const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** What a reader would not see, or what would move the text around it; all spaces but the usual one. */
const INVISIBLE = /(?! )[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Z}]/gu;

/** A string of any content, as JavaScript on one line. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(
    INVISIBLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** `v.x`, or `v["any name"]`. */
export function member(object: string, key: string): string {
  return IDENTIFIER.test(key) ? `${object}.${key}` : `${object}[${literal(key)}]`;
}
