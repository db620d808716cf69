import worker, {
  getEnvironmentData,
  isMainThread,
  parentPort,
  resourceLimits,
  threadId,
  workerData,
} from 'node:worker_threads';

parentPort.postMessage({
  argv: process.argv.slice(1).map((each) => each.replace(/.*[\\/]/, '')),
  execArgv: process.execArgv,
  env: Object.keys(process.env).length < 5 ? process.env : 'that of the process',
  hidden: Object.keys(process.env).filter((name) => name.startsWith('TRACKSIDE')),
  workerData,
  isMainThread,
  threadId,
  sameThreadId: worker.threadId === threadId,
  memory: resourceLimits.maxOldGenerationSizeMb === 64,
  mine: getEnvironmentData('mine'),
  url: import.meta.url.replace(/.*\//, ''),
});
