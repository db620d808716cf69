import { requireChunk } from './chunks.ts';

// The same for a thread of analyses, which needs other functions of the same files.
requireChunk('./analysis-thread.chunk.js', 'thread');
