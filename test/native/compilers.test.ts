import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MAIN, temporaryFolder, trackside } from '../cli/run.ts';
import { COMPILERS, environment, native, SOURCES } from './programs.ts';

const folder = temporaryFolder();

it.each(COMPILERS)('stands before %s, as the launchers of CMake have it', (compiler) => {
  const object = join(folder.path, `${compiler}.o`);
  const program = join(folder.path, `launched-${compiler}`);
  const path = spawnSync('sh', ['-c', `command -v ${compiler}`], { encoding: 'utf8' }).stdout.trim();
  const list = join(folder.path, 'dependencies');
  const compiling = [path, '-O1', '-MD', '-MT', object, '-MF', list, '-o', object];
  expect(trackside(['cc', ...compiling, '-c', join(SOURCES, 'rounds.c')]).status).toBe(0);
  expect(trackside(['cc', path, '-O1', object, '-o', program]).status).toBe(0);
  expect(spawnSync('cat', [list], { encoding: 'utf8' }).stdout).toContain(`${object}: `);
  expect(native([], program).result.violations).not.toEqual([]);
});

it('is a compiler for make, for programs of several files and for libraries', () => {
  const tool = `${process.execPath} ${MAIN}`;
  folder.write('Makefile', 'app: main.o libpart.so\n\t$(CC) -o app main.o -L. -lpart -Wl,-rpath,.\n');
  folder.write('libpart.mk', 'libpart.so: part.c\n\t$(CC) -shared -fPIC -o $@ $<\n');
  folder.write('part.c', 'int counter;\nvoid count(void) { counter++; }\n');
  folder.write(
    'main.c',
    `#include <pthread.h>
void count(void);
static void *work(void *unused) { for (int i = 0; i < 500; i++) count(); return unused; }
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
`,
  );
  const made = spawnSync('make', ['-f', 'libpart.mk', '-f', 'Makefile', 'app', `CC=${tool} cc`], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, ...environment('gcc') },
  });
  expect(made).toMatchObject({ status: 0, stderr: '' });
  const { result } = native(['--atomic', 'count'], 'sh', '-c', `cd ${folder.path} && ./app`);
  expect(result.blocks.checked).toBe(1000);
});
