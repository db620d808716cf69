import { fileURLToPath } from 'node:url';
import { testPrograms } from '../node/expected-programs.ts';
import { IN_DOCUMENTS, testAdvice } from './advice.ts';
import { installDrivers } from './drivers.ts';
import { withMongo } from './servers.ts';

installDrivers();
withMongo();
testPrograms(fileURLToPath(new URL('mongodb/', import.meta.url)));
testAdvice(IN_DOCUMENTS);
