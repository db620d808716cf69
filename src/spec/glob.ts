/**
 * Whether `text` matches `pattern`, in which `*` stands for any run of characters, `?` for one, and `\`
 * takes the next character literally. Nothing else is special: labels such as `Main.run([Ljava/lang/String;)V`
 * are full of brackets that must match themselves. Linear in practice: only the last `*` is ever retried.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let retry = 0;
  while (t < text.length) {
    const c = pattern[p];
    if (c === '*') {
      star = p++;
      retry = t;
    } else if (c === '?') {
      p++;
      t++;
    } else if (c === '\\' && p + 1 < pattern.length && pattern[p + 1] === text[t]) {
      p += 2;
      t++;
    } else if (c !== undefined && c !== '\\' && c === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Whether `pattern` has anything special in it. */
export function isGlob(pattern: string): boolean {
  return /[*?\\]/.test(pattern);
}

/** A pattern that matches exactly `text`. */
export function literalGlob(text: string): string {
  return text.replace(/[*?\\]/g, '\\$&');
}
