import { workerData } from 'node:worker_threads';

function fail() {
  throw new RangeError('as it should');
}

if (workerData === 'top') fail();
if (workerData === 'throw') setTimeout(fail, 1);
if (workerData === 'reject') Promise.reject(new TypeError('rejected'));
if (workerData === 'value') throw { code: 7 };
if (workerData === 'exit') process.exit(3);
