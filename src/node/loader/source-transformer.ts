import type { ModuleFormat } from './module-kind.ts';

/** Decides which files are instrumented, and does it. */
export interface SourceTransformer {
  selects(path: string): boolean;
  /** What Node takes the file for. */
  formatOf(path: string, source: string): ModuleFormat;
  transform(path: string, source: string, format: ModuleFormat): string;
  /** The source of a module of a package of locks, with its model. */
  modelled(path: string, source: string): string;
}
