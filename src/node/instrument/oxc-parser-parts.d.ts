/* Parts of the parser's package that it has no types for: see parser.ts. */

declare module 'oxc-parser/src-js/wrap.js' {
  import type { ParseResult } from 'oxc-parser';
  export function wrap(result: unknown): ParseResult;
}

declare module 'oxc-parser/src-js/generated/visit/keys.js' {
  export { visitorKeys as default } from 'oxc-parser';
}
