import { fileURLToPath } from 'node:url';
import { testPrograms } from '../node/expected-programs.ts';
import { installDrivers } from './drivers.ts';
import { testJoin } from './joined.ts';
import { withRedis } from './servers.ts';

installDrivers();
withRedis();
testPrograms(fileURLToPath(new URL('redis/', import.meta.url)));
testJoin();
