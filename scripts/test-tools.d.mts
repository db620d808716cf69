export type RunnerName = 'vitest 3' | 'vitest 5' | 'jest 29' | 'jest 30' | 'mocha 11';

/** A runner from the registry: where its packages are, and the Node to run it with. */
export function runnerOf(name: RunnerName): { folder: string; node: string };

/** The folder in whose `node_modules` these packages are. */
export function packagesOf(packages: readonly string[]): string;

/** The program `node` of the newest release with this major version. */
export function nodeOf(major: string): string;
