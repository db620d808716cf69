import { fileURLToPath } from 'node:url';
import { testPrograms } from '../node/expected-programs.ts';
import { IN_ROWS, testAdvice } from './advice.ts';
import { installDrivers } from './drivers.ts';
import { testExamples } from './examples.ts';
import { withPostgres, withRedis } from './servers.ts';

installDrivers();
withPostgres();
withRedis();
testPrograms(fileURLToPath(new URL('drivers/', import.meta.url)));
testExamples();
testAdvice(IN_ROWS);
