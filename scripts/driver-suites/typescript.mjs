import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Makes CommonJS of the TypeScript in a folder, as the published packages are, without a look at its types. `imports`: what
 * it is called in the package that is something else in the repository. `esModuleInterop`: as in its own settings.
 */
export function compile(folder, imports, modules, esModuleInterop = true) {
  const files = fs.readdirSync(folder, { recursive: true }).filter((file) => /(?<!\.d)\.ts$/.test(file));
  if (files.length === 0) return;
  const typescript = createRequire(path.join(modules, 'typescript/'))('typescript');
  const compilerOptions = {
    module: typescript.ModuleKind.CommonJS,
    target: typescript.ScriptTarget.ES2022,
    esModuleInterop,
  };
  for (const file of files) {
    const source = path.join(folder, file);
    let text = fs.readFileSync(source, 'utf8');
    for (const [name, published] of imports) text = text.replaceAll(name, published);
    const { outputText } = typescript.transpileModule(text, { compilerOptions });
    fs.writeFileSync(source.replace(/\.ts$/, '.js'), outputText);
    fs.rmSync(source);
  }
}
