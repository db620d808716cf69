import { RateLimiterMemory } from 'rate-limiter-flexible';

const limiter = new RateLimiterMemory({ points: 3, duration: 1 });
console.log(
  (await Promise.allSettled([1, 2, 3, 4, 5].map(() => limiter.consume('ip')))).map(({ status }) => status),
);
const other = new RateLimiterMemory({ points: 10, duration: 1 });
console.log(
  (await Promise.all(['a', 'b', 'a'].map((k) => other.consume(k, 2)))).map(
    ({ remainingPoints }) => remainingPoints,
  ),
  (await other.get('a')).consumedPoints,
);
process.exit(0);
