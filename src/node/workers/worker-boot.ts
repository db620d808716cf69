import { createRequire } from 'node:module';
import { scriptsIn } from '../../startup/scripts.ts';
import type * as Boot from './boot.ts';

/* The first thing that runs in a worker of the program. */
const require = createRequire(import.meta.filename);
delete require.cache[import.meta.filename];
const { bootWorker } = scriptsIn(import.meta.dirname, require).require('./boot.cjs') as typeof Boot;
bootWorker();
