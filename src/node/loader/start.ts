import Module from 'node:module';
import './register.ts';

/*
 * Starts a program that is CommonJS. With `--import`, Node would load its first file as it loads ECMAScript modules, in
 * the middle of the queue of microtasks, and what it leaves to `process.nextTick` would come later than without us.
 */
process.argv.splice(1, 1);
setImmediate(() => Module.runMain());
