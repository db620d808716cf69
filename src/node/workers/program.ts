import { getEnvironmentData, setEnvironmentData, workerData } from 'node:worker_threads';
import { Region } from '../isolates/region.ts';
import { CachedTransformer } from '../loader/cached-transformer.ts';
import { dataSource, EvaluatedText, isEvaluated, withoutMap } from '../loader/evaluated-text.ts';
import { keepFunctionTexts } from '../loader/function-texts.ts';
import { type ImportModule, installHooks } from '../loader/install.ts';
import { modelsTell } from '../loader/models.ts';
import { declaredFormat } from '../loader/module-kind.ts';
import type { SourceTransformer } from '../loader/source-transformer.ts';
import { keepStacks } from '../loader/stacks.ts';
import { startRuntime } from '../runtime/index.ts';
import { loadSchedule } from '../schedule/load.ts';
import { answerWhenAsked } from './asking.ts';
import { WorkerFollower } from './follow.ts';
import { Messages } from './messages.ts';
import { showOwnThreadId } from './thread-ids.ts';
import { START_KEY, type WorkerStart } from './worker-start.ts';

/** Starts the runtime in a worker, before anything of the program runs in it. */
export function startWorkerProgram(importModule: ImportModule): void {
  const start = getEnvironmentData(START_KEY) as unknown as WorkerStart;
  setEnvironmentData(START_KEY, undefined as never);
  process.execArgv = start.execArgv;
  const { program, file } = start;
  const options = { ...program, dataUrl: start.dataUrl };
  const transformer = new CachedTransformer(options);
  const text = evaluated(start, transformer);
  keepStacks(text);
  const commonJs = file !== null && declaredFormat(file) === 'commonjs' ? file : null;
  installHooks(transformer, { given: { options, isWorker: true }, commonJs, importModule });

  const { region, index, name, number, sharedState } = start;
  const isExact = program.order === 'exact';
  const place = { region: new Region(region), index, isExact, name, sharedState };
  const runtime = startRuntime({
    worker: place,
    schedule: loadSchedule(program.schedule),
    values: program.values !== false,
  });
  modelsTell(runtime, program.stores !== false);
  const { aside, files } = runtime;
  keepFunctionTexts({ names: files, cwd: program.cwd, transformer, text, aside });
  answerWhenAsked(runtime.recorder.tasks.isolate!);
  showOwnThreadId(number);
  const messages = new Messages(runtime);
  messages.patch();
  messages.followParent(name, start.channel);
  messages.arrivedIn(workerData, start.ports);
  // The instrumenter is not at hand here.
  const prepare = () => {};
  new WorkerFollower({ runtime, messages, program, transformer, prepare }).patch();
  runtime.recorder.callbacks.enterMain();
}

/** What the worker is made of, if that is no file. */
function evaluated({ text, dataUrl }: WorkerStart, transformer: SourceTransformer): EvaluatedText | null {
  if (text !== null) return new EvaluatedText(text.source, isEvaluated, () => text.map);
  const source = dataUrl === undefined ? null : dataSource(dataUrl);
  if (dataUrl === undefined || source === null) return null;
  const readMap = () => withoutMap(transformer.transform(dataUrl, source, 'module'))?.map ?? null;
  return new EvaluatedText(source, (file) => file === dataUrl, readMap);
}
