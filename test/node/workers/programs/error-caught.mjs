// expect: ok
// An error in a worker reaches who made it, with its stack.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

for (const how of ['throw', 'reject', 'top', 'value', 'exit']) {
  const worker = new Worker(new URL('./lib/fails.mjs', import.meta.url), { workerData: how });
  worker.on('error', (error) => {
    console.log(how, error instanceof Error, error.name, error.message, error.code);
    if (error instanceof Error)
      console.log(
        error.stack
          .split('\n')
          .slice(0, 2)
          .join('\n')
          .replace(/file:.*\//, ''),
      );
  });
  console.log(how, await once(worker, 'exit').catch((error) => ['caught', error.message ?? error]));
}
const missing = new Worker(new URL('./lib/nowhere.mjs', import.meta.url));
missing.on('error', ({ code, message }) => console.log(code, message.replace(/'.*[\\/]/g, "'")));
missing.on('exit', (code) => console.log('exit', code));
