// The programs of the papers that can still be had, by the repository that has them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `coarse`: kernels over arrays that all threads share, of which every element would be a variable. `sources` are compiled
 * where there is no jar; `without` are files that need what JDKs no longer have.
 */
export const PROGRAMS = [
  grande('series', 'JGFSeriesBenchSizeA', { coarse: false }),
  grande('lufact', 'JGFLUFactBenchSizeA'),
  grande('crypt', 'JGFCryptBenchSizeA'),
  grande('sor', 'JGFSORBenchSizeA'),
  grande('sparsematmult', 'JGFSparseMatmultBenchSizeA'),
  grande('montecarlo', 'JGFMonteCarloBenchSizeA'),
  grande('moldyn', 'JGFMolDynBenchSizeA'),
  grande('raytracer', 'JGFRayTracerBenchSizeA'),
  { name: 'sunflow', ...roadRunner('sunflow'), main: 'Main', args: [] },
  {
    name: 'avrora',
    ...roadRunner('avrora'),
    main: 'avrora.Main',
    args: [
      '-seconds=1',
      '-platform=mica2',
      '-simulation=sensor-network',
      '-nodecount=2,1',
      '-stagger-start=1000000',
      ...['CntToRfm.elf', 'RfmToLeds.elf'].map((file) => `scratch/test/tinyos/${file}`),
    ],
  },
  { name: 'elevator', ...compiled('elevator'), main: 'elevator.Elevator', args: ['data3'] },
  { name: 'tsp', ...compiled('tsp'), main: 'Tsp', args: ['tspfiles/map10', '4'] },
  { name: 'hedc', ...compiled('hedc', 'Ftp.java'), main: 'hedc.Tester', args: [] },
  {
    name: 'philo',
    folder: 'calfuzzer/src/benchmarks/philo',
    sources: '.',
    main: 'benchmarks.philo.Philo',
    args: [],
  },
];

function roadRunner(name) {
  return { folder: `RoadRunner/benchmarks/${name}`, jar: 'original.jar' };
}

function grande(name, main, { coarse = true } = {}) {
  return { name, ...roadRunner(name), main, args: ['4'], coarse };
}

function compiled(name, without) {
  return { folder: `petablox-bench/${name}`, sources: 'src', without };
}

/** Where the program is run, and the words that start it; null if it is not in `checkouts`. */
export function programIn(checkouts, { folder, jar, sources, without, main, args }) {
  const cwd = join(checkouts, folder);
  if (!existsSync(join(cwd, jar ?? sources))) return null;
  const path = jar ?? classesOf(cwd, sources, without);
  return { cwd, command: ['java', '-cp', path, main, ...args] };
}

function classesOf(cwd, sources, without) {
  mkdirSync(join(cwd, 'classes'), { recursive: true });
  const found = spawnSync('find', [sources, '-name', '*.java', '!', '-name', without ?? ''], {
    cwd,
    encoding: 'utf8',
  });
  const files = found.stdout.trim().split('\n');
  const options = ['-nowarn', '-encoding', 'latin1', '-source', '8', '-target', '8', '-d', 'classes'];
  const { status, stderr } = spawnSync('javac', [...options, '-cp', 'lib/servlet.jar', ...files], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${cwd} cannot be compiled: ${stderr}`);
  return 'classes:lib/servlet.jar';
}
