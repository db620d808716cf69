import { installHooks } from './install.ts';
import { startProgram } from './program.ts';
import { takeProgramOptions } from './program-options.ts';
import { reportAtExit, standaloneOptions } from './standalone.ts';

/*
 * `node --import trackside/register app.js`: loaded before the program's first line, in the program's process. Also
 * what `trackside run` and `trackside record` start a program with.
 */
const given = takeProgramOptions();
const options = given ?? standaloneOptions();
startProgram(options);
if (given === null) reportAtExit(options);
installHooks(options);
