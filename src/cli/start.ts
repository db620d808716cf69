import { requireChunk } from './chunks.ts';
import { startEarly } from './early-thread.ts';

// This file is built apart from the rest of the command line, which it loads (see rolldown.config.js).
startEarly(process.argv.slice(2));
// When nothing is left to do, all is written. Taking the engine apart would only take time.
process.once('beforeExit', () => process.exit());
requireChunk('./command-line.chunk.js');
