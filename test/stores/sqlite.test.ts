import { fileURLToPath } from 'node:url';
import { testPrograms } from '../node/expected-programs.ts';
import { installDrivers } from './drivers.ts';

installDrivers();
testPrograms(fileURLToPath(new URL('sqlite/', import.meta.url)));
