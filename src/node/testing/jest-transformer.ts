import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TestSources } from './test-sources.ts';

/** What `withTrackside` puts into the place of a transformer. */
export interface TransformerConfig {
  root: string;
  instrument: readonly string[];
  /** The transformer that was there, by the name that Jest would have found it by, and its own configuration. */
  transformer: string;
  settings: Record<string, unknown>;
  /** Labels of blocks whose calls take turns, in a run that belongs to a proof. */
  turns?: readonly string[];
}

/** As Jest defines it; its options are for the transformer that was there. */
interface JestTransformer {
  canInstrument?: boolean;
  process(source: string, path: string, options: unknown): { code: string; map?: unknown };
  processAsync?(source: string, path: string, options: unknown): Promise<{ code: string; map?: unknown }>;
  getCacheKey?(source: string, path: string, options: unknown): string;
}

/** Modules of tests get their probes from here, in the realm that Jest runs them in. */
const PROBES = fileURLToPath(new URL('./jest-probes.cjs', import.meta.url));

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

/** Instruments a file before the project's own transformer gets it, as long as its positions are those of the file. */
export async function createTransformer(config: TransformerConfig): Promise<JestTransformer> {
  const sources = new TestSources(config.root, config.instrument, PROBES);
  const inner = await loaded(config);
  const instrumented = (source: string, path: string) =>
    sources.transform(source, path)?.codeWithMap ?? source;
  const transformer: JestTransformer = {
    process: (source, path, options) => inner.process(instrumented(source, path), path, options),
    getCacheKey: (source, path, options) =>
      createHash('sha256')
        .update(
          JSON.stringify([version, config, path, source, inner.getCacheKey?.(source, path, options) ?? null]),
        )
        .digest('hex'),
  };
  if (inner.canInstrument !== undefined) transformer.canInstrument = inner.canInstrument;
  const { processAsync } = inner;
  if (processAsync !== undefined)
    transformer.processAsync = (source, path, options) =>
      processAsync.call(inner, instrumented(source, path), path, options);
  return transformer;
}

export default { createTransformer };

async function loaded({ root, transformer, settings }: TransformerConfig): Promise<JestTransformer> {
  const path = createRequire(join(root, 'tests')).resolve(transformer.replace('<rootDir>', root));
  const { default: exported, ...named } = await import(pathToFileURL(path).href);
  // A compiled module has its default export once more in `module.exports`.
  const found = exported?.default ?? exported ?? named;
  return found.createTransformer === undefined ? found : found.createTransformer(settings);
}
