import { parseSync } from 'oxc-parser';
import { type Exports, modelOf } from '../runtime/locks/models.ts';
import type { Recorder } from '../runtime/recorder.ts';

/*
 * Packages of locks are known by their interface. A CommonJS module is handed to its model when it has been loaded; to
 * the text of a module is added that it does so itself, as what a module exports cannot be changed from outside.
 */

let recorder: Recorder | null = null;

/** From now on, models tell this recorder. */
export function modelsTell(to: Recorder): void {
  recorder = to;
}

/** What the package should export in the place of what it does; called at the end of a module by the text added to it. */
export function modelled(name: string, exports: Exports): Exports {
  const model = modelOf(name);
  return model === undefined || recorder === null ? {} : model(exports, recorder);
}

/** For `module.exports`. */
export function modelledCommonJs(name: string, exported: unknown): unknown {
  const named = typeof exported === 'object' && exported !== null ? { ...exported } : {};
  const replaced = modelled(name, { default: exported, ...named });
  if (typeof exported === 'function') return replaced.default ?? exported;
  for (const [key, value] of Object.entries(replaced)) Reflect.set(exported as object, key, value);
  return exported;
}

/** The source of a module, with the call of its model at the end. */
export function withModel(name: string, path: string, source: string, modelsUrl: string): string {
  const { program } = parseSync(path, source, { sourceType: 'module' });
  const exported = program.body.find((statement) => statement.type === 'ExportDefaultDeclaration');
  const declared = exported?.type === 'ExportDefaultDeclaration' ? exported.declaration : null;
  const isNamed = declared?.type === 'FunctionDeclaration' || declared?.type === 'ClassDeclaration';
  const own = isNamed ? (declared.id?.name ?? null) : null;
  const call = `__trackside_modelled(${JSON.stringify(name)}, __trackside_self)`;
  return [
    source,
    `;import { modelled as __trackside_modelled } from ${JSON.stringify(modelsUrl)};`,
    `import * as __trackside_self from ${JSON.stringify(`./${path.replace(/^.*[\\/]/, '')}`)};`,
    own === null ? `${call};` : `${own} = ${call}.default ?? ${own};`,
  ].join('\n');
}
