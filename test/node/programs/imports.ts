// expect: violation Ledger.book
// prints: 5
import { Ledger } from './lib/ledger.js';
import type { Entry } from './lib/ledger.ts';

const ledger = new Ledger();
const entries: Entry[] = [{ amount: 3 }, { amount: 5 }];
await Promise.all(entries.map((entry) => ledger.book(entry)));
console.log(ledger.sum);
