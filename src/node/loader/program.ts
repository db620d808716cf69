import { writeFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { type LiveViolation, startRuntime } from '../runtime/index.ts';
import { liveText } from './live-text.ts';
import { modelsTell } from './lock-models.ts';
import { absentFile, type ProgramOptions } from './program-options.ts';
import { keepStacks } from './stacks.ts';

/** Starts the runtime in the program's process, and leaves no trace of how that came about. */
export function startProgram({ spool, live, schedule }: ProgramOptions): void {
  // Stacks show the positions of the original sources.
  process.setSourceMapsEnabled(true);
  keepStacks();
  // A program that starts others in its own image (`child_process.fork`) does not pass our hooks on.
  process.execArgv = withoutOurs(process.execArgv);
  if (!isMainThread) return;
  const runtime = startRuntime({ spool, schedule, ...(live ? { onViolation: announcer() } : {}) });
  modelsTell(runtime.recorder);
  process.on('exit', () => {
    runtime.finish();
    writeFileSync(absentFile(spool), JSON.stringify(runtime.absentVariables()));
  });
}

/** Says each block once: a server may break one a thousand times a second. */
function announcer(): (violation: LiveViolation) => void {
  const announced = new Set<string>();
  return (violation) => {
    if (announced.has(violation.label)) return;
    announced.add(violation.label);
    writeSync(2, liveText(violation));
  };
}

function withoutOurs(args: readonly string[]): string[] {
  const own = new URL('./register.js', import.meta.url).href;
  return args.filter((arg, i) => {
    const value =
      arg === '--import' ? args[i + 1] : args[i - 1] === '--import' ? arg : arg.replace(/^--import=/, '');
    return value !== own && value !== 'trackside/register';
  });
}
