import { fileURLToPath } from 'node:url';

/** By which options we came into a process, and with what. */
const OPTIONS = /^(?:--import|--require|-r)$/;
/** What to load first into a process, by `--import` or by `--require`. */
export const REGISTER: string = new URL('../launch/register.js', import.meta.url).href;
export const START: string = fileURLToPath(new URL('../loader/start.cjs', import.meta.url));
const GIVEN: ReadonlySet<string> = new Set([
  'trackside/register',
  REGISTER,
  START,
  fileURLToPath(new URL('../loader/worker-boot.cjs', import.meta.url)),
]);

/** A program that starts others in its own image (`child_process.fork`) does not see us. */
export function hideOwnArguments(): void {
  process.execArgv = withoutOurs(process.execArgv);
  const preloaded: unknown = Reflect.get(process, '_preload_modules');
  if (!Array.isArray(preloaded)) return;
  const value = preloaded.filter((name) => !GIVEN.has(name));
  Object.defineProperty(process, '_preload_modules', { value });
}

function withoutOurs(args: readonly string[]): string[] {
  const isOurs = (arg: string | undefined) => arg !== undefined && GIVEN.has(arg);
  return args.filter((arg, i) => {
    if (OPTIONS.test(arg)) return !isOurs(args[i + 1]);
    if (OPTIONS.test(args[i - 1] ?? '')) return !isOurs(arg);
    return !isOurs(/^--(?:import|require)=(.*)$/s.exec(arg)?.[1]);
  });
}
