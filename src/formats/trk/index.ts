import type { Format } from '../format.ts';
import { MAGIC, RECOGNIZED } from './layout.ts';
import { TrkDecoder } from './reader.ts';

export const trk: Format = {
  name: 'trk',
  title: 'Trackside binary trace',
  extensions: ['trk'],
  detect(head) {
    if (head.length < RECOGNIZED) return false;
    for (let i = 0; i < RECOGNIZED; i++) if (head[i] !== MAGIC[i]) return false;
    return true;
  },
  decoder: (options) => new TrkDecoder(options),
};
