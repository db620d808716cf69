// Leases of addresses, as a DHCP server gives them. Locked by name: whoever finds a name locked, looks again later.
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const locked = new Set();

async function lock(name) {
  while (locked.has(name)) await sleep(3);
  locked.add(name);
}

const unlock = (name) => locked.delete(name);

const leases = {};

async function ping() {
  await sleep(4);
  return false;
}

async function lease(client) {
  await lock('leases'); // lock: lease
  let address = 2;
  while (leases[address] !== undefined) address++;
  if (await ping(address)) throw new Error('in use');
  leases[address] = { client, renewals: 0 };
  unlock('leases'); // lock: lease
  return address;
}

async function renew(address) {
  await lock('leases'); // lock: renew
  const current = leases[address];
  if (current) {
    await sleep(2);
    leases[address] = { client: current.client, renewals: current.renewals + 1 };
  }
  unlock('leases'); // lock: renew
}

async function sweep() {
  await lock('leases'); // lock: sweep
  for (const address of Object.keys(leases)) {
    if (leases[address].renewals > 0) continue;
    await sleep(1); // Its owner is told.
    delete leases[address];
  }
  unlock('leases'); // lock: sweep
}

async function laptop(start, stay) {
  await sleep(start);
  const address = await lease(`laptop ${start}`);
  await sleep(stay);
  await renew(address);
  await sleep(stay);
  await renew(address);
}

const sweeper = setInterval(sweep, 75);
await Promise.all([laptop(10, 40), laptop(60, 60), laptop(110, 50), laptop(160, 30), laptop(210, 20)]);
clearInterval(sweeper);
console.log('leases left', Object.keys(leases).length >= 0);
