import Module from 'node:module';
import { fileURLToPath } from 'node:url';
import { declaredFormat, type ModuleFormat } from './module-kind.ts';

/** By which options we came into a process, and with what. */
const OPTIONS = /^(?:--import|--require|-r)$/;
/** What to load first into a process, by `--import` or by `--require`. */
export const REGISTER: string = new URL('../launch/register.js', import.meta.url).href;
export const START: string = fileURLToPath(new URL('../loader/start.cjs', import.meta.url));
/**
 * With this, Node lets us into its loader of modules (`customized-loader.ts`). Only for the one major version that needs it, and
 * that nobody changes any more.
 */
const EXPOSING = '--expose-internals';
export const EXPOSING_ARGUMENTS: readonly string[] = process.versions.node.startsWith('20.')
  ? [EXPOSING]
  : [];

const GIVEN: ReadonlySet<string> = new Set([
  'trackside/register',
  REGISTER,
  START,
  fileURLToPath(new URL('../loader/worker-boot.cjs', import.meta.url)),
]);

/** With what Node is to run a file so that it is watched. */
export function argumentsFor(
  entry: string,
  format: ModuleFormat,
  { register, start }: { register: string; start: string },
): string[] {
  // Node knows by itself which loader to use, unless the file is a module without saying so, or by an ending of TypeScript.
  const isEvident = format === 'commonjs' || (declaredFormat(entry) !== null && !entry.endsWith('.mts'));
  return [...EXPOSING_ARGUMENTS, ...(isEvident ? ['--require', start] : ['--import', register])];
}

/** A program that starts others in its own image (`child_process.fork`) does not see us. */
export function hideOwnArguments(): void {
  const given = process.execArgv;
  process.execArgv = withoutOurs(given);
  if (given.includes(EXPOSING) && !process.execArgv.includes(EXPOSING)) hideInternals();
  const preloaded: unknown = Reflect.get(process, '_preload_modules');
  if (!Array.isArray(preloaded)) return;
  const value = preloaded.filter((name) => !GIVEN.has(name));
  Object.defineProperty(process, '_preload_modules', { value });
}

function withoutOurs(args: readonly string[]): string[] {
  const isOurs = (arg: string | undefined) => arg !== undefined && GIVEN.has(arg);
  return args.filter((arg, i) => {
    if (OPTIONS.test(arg)) return !isOurs(args[i + 1]);
    if (arg === EXPOSING) return !isOurs(args[i + 2]);
    if (OPTIONS.test(args[i - 1] ?? '')) return !isOurs(arg);
    return !isOurs(/^--(?:import|require)=(.*)$/s.exec(arg)?.[1]);
  });
}

/** The program does not see that Node's own modules can be loaded. */
function hideInternals(): void {
  const names = Module.builtinModules.filter((name) => !name.startsWith('internal/'));
  Object.assign(Module, { builtinModules: Object.freeze(names) });
}
