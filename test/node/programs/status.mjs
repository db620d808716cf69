// expect: ok
const job = { status: 'idle', lastSeen: 0 };

async function run() {
  job.status = 'running';
  job.lastSeen = 1;
  await null;
  job.status = 'done';
  job.lastSeen = 2;
}

await Promise.all([run(), run()]);
console.log(job);
