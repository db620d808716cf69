/* What the tests use of a browser's own objects, inside of the functions that run there. */

export interface Element {
  getAttribute(name: string): string | null;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly textContent: string | null;
}

declare global {
  function getComputedStyle(element: Element): Record<string, string>;
}
