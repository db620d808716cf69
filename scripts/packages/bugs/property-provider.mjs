// Expired credentials, three callers at once: each asks the provider anew.
import { setTimeout as sleep } from 'node:timers/promises';

const { memoize } = (await import(`property-provider-${process.argv[2]}`)).default;
let calls = 0;
const provider = async () => {
  const call = ++calls;
  await sleep(5);
  return { isExpired: call === 1 };
};
const memoized = memoize(
  provider,
  ({ isExpired }) => isExpired,
  () => true,
);
await Promise.all([memoized(), memoized(), memoized()]);
console.log(`provider called ${calls} times`);
