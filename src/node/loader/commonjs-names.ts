import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What every CommonJS module finds in its scope. */
interface CommonJsNames {
  require: NodeJS.Require;
  module: NodeJS.Module;
  exports: unknown;
  __filename: string;
  __dirname: string;
}

/** What a module is given that would have been CommonJS if a compiler of TypeScript had seen to it. */
export function commonJsNames(url: string): CommonJsNames {
  const __filename = fileURLToPath(url.replace(/[?#].*$/, ''));
  const require = createRequire(__filename);
  const module = new Module(__filename);
  module.filename = __filename;
  // `if (require.main === module)` is how a file asks whether it is the program.
  if (__filename === process.argv[1]) require.main = module;
  return { require, module, exports: module.exports, __filename, __dirname: dirname(__filename) };
}
