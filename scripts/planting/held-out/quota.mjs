// A gateway that counts calls: callbacks, a queue of waiters, next in line by setImmediate.
import { createServer, get } from 'node:http';

const quotas = { gold: { used: 0, limit: 9 }, free: { used: 0, limit: 4 } };
const log = [];

let held = false;
const waiters = [];

function lock(then) {
  if (held) waiters.push(then);
  else {
    held = true;
    then();
  }
}

function unlock() {
  const next = waiters.shift();
  if (next === undefined) held = false;
  else setImmediate(next);
}

function lookUp(plan, callback) {
  setTimeout(() => callback(null, { ...quotas[plan] }), 3);
}

function store(plan, quota, callback) {
  setTimeout(() => {
    quotas[plan] = quota;
    callback(null);
  }, 2);
}

function count(plan, callback) {
  const enter = lock; // lock: count -> const enter = (then) => then();
  const leave = unlock; // lock: count -> const leave = () => {};
  enter(() => {
    lookUp(plan, (_, quota) => {
      if (quota.used >= quota.limit) {
        leave();
        callback(null, false);
        return;
      }
      quota.used += 1;
      store(plan, quota, () => {
        log.push(plan);
        leave();
        callback(null, true);
      });
    });
  });
}

function raise(plan, by, callback) {
  const enter = lock; // lock: raise -> const enter = (then) => then();
  const leave = unlock; // lock: raise -> const leave = () => {};
  enter(() => {
    lookUp(plan, (_, quota) => {
      quota.limit += by;
      store(plan, quota, () => {
        leave();
        callback(null);
      });
    });
  });
}

const server = createServer((request, response) => {
  const [, action, plan] = request.url.split('/');
  if (action === 'raise') raise(plan, 2, () => response.end('raised'));
  else count(plan, (_, isAllowed) => response.end(isAllowed ? 'ok' : 'no'));
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const calls = [
    '/call/gold',
    '/call/free',
    '/call/gold',
    '/raise/gold',
    '/call/free',
    '/call/gold',
    '/raise/free',
    '/call/free',
  ];
  let open = calls.length;
  calls.forEach((path, i) => {
    setTimeout(() => {
      get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
        response.resume();
        response.on('end', () => {
          if (--open > 0) return;
          console.log('calls answered');
          server.close();
        });
      });
    }, 40 * i);
  });
});
