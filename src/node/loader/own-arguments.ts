import { fileURLToPath } from 'node:url';

/** By which options we came into a process, and with what. */
const OPTIONS = /^(?:--import|--require|-r)$/;
const GIVEN: ReadonlySet<string> = new Set([
  'trackside/register',
  new URL('../launch/register.js', import.meta.url).href,
  fileURLToPath(new URL('../loader/start.cjs', import.meta.url)),
  fileURLToPath(new URL('../loader/worker-boot.cjs', import.meta.url)),
]);

/** A program that starts others in its own image (`child_process.fork`) does not pass us on, and does not see us. */
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
