import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../../src/check/result.ts';
import { MAIN, temporaryFolder, trackside } from '../cli/run.ts';

/* `trackside run` and `node --import trackside/register`, as a user types them. */

const { path, write } = temporaryFolder();
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const REGISTER = fileURLToPath(new URL('../../dist/node/launch/register.js', import.meta.url));

const BANK = `
class Bank {
  balance = 100;
  async withdraw(amount) {
    const { balance } = this;
    await null;
    this.balance = balance - amount;
  }
  async audit() {
    this.seen = (this.seen ?? 0) + 1;
    const { balance } = this;
    await null;
    this.audited = balance;
  }
}
const bank = new Bank();
await Promise.all([bank.withdraw(10), bank.withdraw(20), bank.audit()]);
console.log(bank.balance);
`;
write('bank.mjs', BANK);
write(
  'two.mjs',
  `
const a = { on: 0 }, b = { on: 0 };
async function look() {
  const first = a.on;
  await null;
  return first === b.on;
}
async function set() {
  a.on = 1;
  b.on = 1;
}
await Promise.all([look(), set()]);
`,
);

function run(...args: string[]) {
  return trackside(['run', '--no-live', ...args], { cwd: path });
}

describe('trackside run', () => {
  it('says which --instrument has named nothing', () => {
    const { stderr } = run('--instrument', 'bank.*', '--instrument', 'node_modules/keyv/**', 'bank.mjs');
    expect(stderr.match(/^trackside: .*$/gm)).toEqual([
      'trackside: warning: no file that the program loaded is named by --instrument "node_modules/keyv/**"',
    ]);
  });

  it('fails with the block and the lines, on standard error', () => {
    const { status, stdout, stderr } = run('bank.mjs');
    expect(status).toBe(1);
    expect(stdout).toBe('80\n');
    expect(stderr).toMatch(/error: block 'Bank\.withdraw' of task '.*' is broken by\s+task\s+'/);
    expect(stderr).not.toContain('thread');
    expect(stderr).toContain('bank.mjs:5:');
    expect(stderr).toContain('bank.mjs:7:');
    expect(stderr).toContain("trackside run --exclude 'Bank.withdraw' bank.mjs");
  });

  it('speaks of tasks, also where several variables are needed to tell', () => {
    const { stderr } = run('--notes', '--details', 'two.mjs');
    expect(stderr).toMatch(/block 'look' .*\(multi-variable\s+cycle\)/s);
    expect(stderr).not.toContain('thread');
  });

  it('checks only what --atomic or --only names, and not what --exclude names', () => {
    expect(run('--atomic', 'Bank.a*', 'bank.mjs').status).toBe(0);
    expect(run('--only', 'Bank.withdraw', 'bank.mjs').status).toBe(1);
    const { status, stderr } = run('--exclude', 'Bank.withdraw', 'bank.mjs');
    expect(status).toBe(0);
    expect(stderr).toContain('bank.mjs: 1 block checked, none violated');
  });

  it('writes results that say which accesses belong together', () => {
    run('--reporter', 'json=results.json', 'bank.mjs');
    const report: CheckReport = JSON.parse(readFileSync(join(path, 'results.json'), 'utf8'));
    const [{ trace, violations }] = report.results;
    expect(trace).toBe('bank.mjs');
    expect(violations.map(({ block, severity, pattern }) => [block?.label, severity, pattern])).toEqual([
      ['Bank.withdraw', 'error', 'lost-update'],
    ]);
  });

  it('records what may be part of a violation, counts all blocks, and records everything for other analyses', () => {
    write(
      'counter.mjs',
      `let served = 0;
async function serve() { await null; served++; }
for (let i = 0; i < 2000; i++) await Promise.all([serve(), serve()]);
console.log(served);`,
    );
    const recorded = (...options: string[]) => {
      run(...options, '--reporter', 'json=results.json', 'counter.mjs');
      const report: CheckReport = JSON.parse(readFileSync(join(path, 'results.json'), 'utf8'));
      return report.results[0];
    };
    const whole = recorded('--analysis', 'regiontrack,goodlock');
    const partial = recorded();
    expect(whole.blocks.checked).toBe(4000);
    expect(partial.blocks.checked).toBe(4000);
    expect(partial.events).toBeLessThan(whole.events);
  });

  it('announces nothing of a program that is over soon: the report tells it once', () => {
    const { stderr } = trackside(['run', 'bank.mjs'], { cwd: path });
    expect(stderr).toMatch(/^error: block 'Bank\.withdraw'/);
    expect(stderr).not.toContain('trackside: ');
  });

  it('obeys trackside.config.ts', () => {
    const project = join(path, 'project');
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    symlinkSync(ROOT, join(project, 'node_modules/trackside'), 'junction');
    write('project/bank.mjs', BANK);
    write(
      'project/trackside.config.ts',
      `import { type Config, defineConfig } from 'trackside';
const config: Config = { exclude: ['Bank.*'] };
export default defineConfig(config);`,
    );
    const { status, stderr } = trackside(['run', 'bank.mjs'], { cwd: project });
    expect(status).toBe(0);
    expect(stderr).not.toContain('was not atomic');
  });

  it('watches a program that registers hooks of its own, which go first', () => {
    write(
      'hooks.mjs',
      "export const load = (url, context, next) => url.endsWith('?made') ? { format: 'module', source: 'export default 7', shortCircuit: true } : next(url, context);",
    );
    write(
      'registering.mjs',
      `import { builtinModules, register } from 'node:module';
      register('./hooks.mjs', import.meta.url);
      const { default: made } = await import('./bank.mjs?made');
      console.log(made, builtinModules.some((name) => name.startsWith('internal/')), process.execArgv);
      await import('./bank.mjs');`,
    );
    const { stdout, stderr, status } = run('registering.mjs');
    expect(stdout).toBe('7 false []\n80\n');
    expect(stderr).toContain('Bank.withdraw');
    expect(status).toBe(1);
  });

  it('leaves hooks that are registered before the program starts', () => {
    write(
      'virtual.mjs',
      `export const resolve = (name, context, next) => name === 'virtual:made' ? { url: name, shortCircuit: true } : next(name, context);
      export const load = (url, context, next) => url === 'virtual:made' ? { format: 'module', source: 'export default 7', shortCircuit: true } : next(url, context);`,
    );
    write('importing.mjs', `import made from 'virtual:made';\nconsole.log(made);\n${BANK}`);
    const preload = write(
      'before.cjs',
      "require('node:module').register('./virtual.mjs', require('node:url').pathToFileURL(__filename));",
    );
    const NODE_OPTIONS = `--require=${preload}`;
    const { stdout, status } = trackside(['run', '--no-live', 'importing.mjs'], {
      cwd: path,
      env: { NODE_OPTIONS },
    });
    expect(stdout).toBe('7\n80\n');
    expect(status).toBe(1);
  });

  it('reports on a program that ends itself', () => {
    write('ended.mjs', `${BANK}\nprocess.exit(Number(process.argv[2]));`);
    expect(run('ended.mjs', '0').status).toBe(1);
    const { status, stderr } = run('ended.mjs', '7');
    expect(status).toBe(7);
    expect(stderr).toContain("error: block 'Bank.withdraw'");
  });

  it('reports on a server that is stopped by Ctrl-C', async () => {
    write(
      'server.mjs',
      `${BANK}\nsetInterval(() => {}, 1000);\nsetTimeout(() => console.log('ready'), 600);`,
    );
    const child = spawn(process.execPath, [MAIN, 'run', '--no-live', 'server.mjs'], {
      cwd: path,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.stdout.setEncoding('utf8').on('data', (text) => {
      if (text.includes('ready')) child.kill('SIGINT');
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(stderr).toContain("error: block 'Bank.withdraw'");
    expect(code).toBe(130);
  });

  /** Stops a program by Ctrl-C once it, or what is said of it meanwhile, says so. */
  async function stopped(file: string, when: string, ...options: string[]) {
    const child = spawn(process.execPath, [MAIN, 'run', ...options, file], {
      cwd: path,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (output.includes(when) && !child.killed) child.kill('SIGINT');
      });
    const code = await new Promise((resolve) => child.on('close', resolve));
    return { output, code };
  }

  it('reports on a server under a schedule, in which nothing happens any more', async () => {
    write('waiting.mjs', `${BANK}\nsetInterval(() => {}, 3600_000);`);
    const { output, code } = await stopped('waiting.mjs', 'trackside: error', '--schedule', 'provoke');
    expect(output).toContain("error: block 'Bank.withdraw'");
    expect(code).toBe(130);
  });

  it('claims nothing of a program that was stopped before anything could be recorded', async () => {
    write('spinning.mjs', `${BANK}\nprocess.stdout.write('spinning');\nfor (;;);`);
    const { output, code } = await stopped('spinning.mjs', 'spinning');
    expect(output.replaceAll(/\s+/g, ' ')).toContain(
      'may be missing here No block was checked, so this says',
    );
    expect(code).toBe(130);
  });

  it('says what is wrong with a program that is not there, or is a folder', () => {
    const missing = run('none.mjs');
    expect(missing.status).toBe(2);
    expect(missing.stderr).toBe(
      'error: none.mjs: there is no such program; expected a JavaScript or TypeScript file, such as app.mjs\n',
    );
    expect(run('.').stderr).toContain('this is not a file');
    expect(run('.').status).toBe(2);
  });

  it('compiles TypeScript as tsconfig.json says', () => {
    mkdirSync(join(path, 'typed'));
    write(
      'typed/tsconfig.json',
      '{\n  // JSX for a small library\n  "compilerOptions": { "jsx": "react", "jsxFactory": "h", "target": "es2021", },\n}\n',
    );
    write(
      'typed/names.ts',
      'export const enum Kind { A = 1 }\nexport namespace Names { export const first = Kind.A; }\n',
    );
    write(
      'typed/page.tsx',
      `import { Names } from './names.js';
const h = (tag: string, props: object | null, ...children: unknown[]) => ({ tag, props, children });
class Base { constructor() { (this as any).title = 'set'; } }
class Page extends Base { title: string; }
console.log(JSON.stringify(<b id="x">{Names.first}</b>), new Page().title);
`,
    );
    const { stdout, stderr } = run('--quiet', 'typed/page.tsx');
    expect(stderr).toBe('');
    expect(stdout).toBe('{"tag":"b","props":{"id":"x"},"children":[1]} set\n');
  });

  it('compiles decorators of the older kind, unless tsconfig.json means the standard ones', () => {
    const source = `const calls: string[] = [];
const logged = (_: object, name: string, descriptor: PropertyDescriptor) => {
  const { value } = descriptor;
  return { ...descriptor, value(...args: unknown[]) { calls.push(name); return value.apply(this, args); } };
};
const named = (name: string) => (c: Function) => { calls.push(name); };
const injected = (_: object, key: string, index: number) => { calls.push(key + index); };
@named('the class') class A { @logged async m(@injected x: number) { await null; return x; } }
console.log(await new A().m(3), calls);
`;
    write('decorated.ts', source);
    expect(run('--quiet', 'decorated.ts').stdout).toBe("3 [ 'm0', 'the class', 'm' ]\n");
    mkdirSync(join(path, 'standard'));
    write('standard/tsconfig.json', '{}');
    write('standard/decorated.ts', source);
    expect(run('--quiet', 'standard/decorated.ts').stderr).toContain(
      'trackside: warning: standard/decorated.ts: has decorators, which Node does not know',
    );
  });
});

describe('node --import trackside/register', () => {
  const start = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', pathToFileURL(REGISTER).href, ...args], {
      cwd: path,
      encoding: 'utf8',
    });

  it('reports when the program ends, and fails', () => {
    const { status, stdout, stderr } = start('bank.mjs');
    expect(stdout).toBe('80\n');
    expect(stderr).toContain("error: block 'Bank.withdraw'");
    expect(status).toBe(1);
  });

  it('watches what a package starts with the same NODE_OPTIONS, and says nothing of the package itself', () => {
    const starter = `const { spawnSync } = require('node:child_process');
process.exitCode = spawnSync(process.execPath, ['bank.mjs'], { stdio: 'inherit' }).status;`;
    mkdirSync(join(path, 'node_modules/runner'), { recursive: true });
    write('node_modules/runner/bin.cjs', starter);
    const { status, stdout, stderr } = spawnSync(process.execPath, ['node_modules/runner/bin.cjs'], {
      cwd: path,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: `--import ${pathToFileURL(REGISTER).href}` },
      timeout: 120_000,
    });
    expect(stdout).toBe('80\n');
    expect(stderr.match(/blocks? (checked|violated)/g)).toHaveLength(1);
    expect(status).toBe(1);
  });

  it('keeps the exit code of a program that fails', () => {
    write('failing.cjs', 'process.exitCode = 9;');
    expect(start('failing.cjs').status).toBe(9);
  });
});

it('trackside record keeps the trace of a program that fails', () => {
  write('failing.mjs', `${BANK}\nthrow new Error('late');`);
  const { status } = trackside(['record', '-o', 'kept.std', 'failing.mjs'], { cwd: path });
  expect(status).toBe(1);
  expect(existsSync(join(path, 'kept.std'))).toBe(true);
  expect(trackside(['check', '--fork-join', 'family', 'kept.std'], { cwd: path }).status).toBe(1);
});
