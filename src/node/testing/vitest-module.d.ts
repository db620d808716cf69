/** What the plugin makes of the Vitest that the project uses: see `vitest-versions.ts`. */
declare module 'trackside:vitest' {
  /** The runner that the project has configured, or else Vitest's own. */
  export const Runner: new (...args: never[]) => { runTask?(test: object): Promise<unknown> };
  export function testFunction(test: object): () => unknown;
}
