import { fileURLToPath } from 'node:url';
import { testPrograms } from '../expected-programs.ts';

testPrograms(fileURLToPath(new URL('programs/', import.meta.url)));
