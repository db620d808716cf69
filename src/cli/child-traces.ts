import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Option } from 'commander';
import type { AnalysisResult } from '../check/result.ts';
import type { ProcessTrace } from '../node/join/index.ts';
import { CHILD_ENDING } from '../node/loader/program-options.ts';
import { scratchPath } from './scratch.ts';

/** Traces of processes that a program has forked. */

export function childrenOption(): Option {
  return new Option('--no-children', 'do not watch the processes that the program forks');
}

/** A process that was forked: its trace, and its number; `2.1` is the first one that the second one has forked. */
export interface ChildTrace {
  readonly path: string;
  readonly number: string;
}

/** Those beside the trace of a program, in the order in which they were started. */
export async function childTraces(spool: string): Promise<ChildTrace[]> {
  const start = basename(spool) + CHILD_ENDING;
  const names = await readdir(dirname(spool)).catch(() => []);
  return names
    .filter((name) => name.startsWith(start) && /^[\d.]+$/.test(numberIn(name, spool)))
    .map((name) => ({ path: join(dirname(spool), name), number: numberIn(name, spool) }))
    .sort((a, b) => a.number.localeCompare(b.number, 'en', { numeric: true }));
}

function numberIn(name: string, spool: string): string {
  return name.slice(basename(spool).length + CHILD_ENDING.length).replaceAll(CHILD_ENDING, '.');
}

/** What is to be checked of a run: its trace, or all traces as one if there are several. */
export interface WholeRun {
  readonly path: string;
  certain(result: AnalysisResult): AnalysisResult;
}

export async function wholeRun(spool: string): Promise<WholeRun> {
  const children = await childTraces(spool);
  if (children.length === 0) return { path: spool, certain: (result) => result };
  const path = await scratchPath();
  const traces: ProcessTrace[] = [
    { path: spool, name: '' },
    ...children.map((child) => ({ path: child.path, name: `child ${child.number}` })),
  ];
  const { joinTraces } = await import('../node/join/index.ts');
  const joined = await joinTraces(traces, path);
  const note = `${children.length === 1 ? 'one process that the program forked was' : `${children.length} processes that the program forked were`} watched as well; what they did to memory and files is each one's own`;
  return {
    path,
    certain(result) {
      const certain = joined.certain(result);
      return { ...certain, notes: [...(certain.notes ?? []), note] };
    },
  };
}
