// The programs of the papers that can still be had, by the repository that has them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * `coarse`: kernels over arrays that all threads share, of which every element would be a variable. `sources` are compiled
 * where there is no jar; `without` are files that need what JDKs no longer have; `packed` is what the program reads, beside where it lies.
 */
export const PROGRAMS = [
  grande('series', 'JGFSeriesBenchSizeA', { coarse: false }),
  grande('lufact', 'JGFLUFactBenchSizeA'),
  grande('crypt', 'JGFCryptBenchSizeA'),
  grande('sor', 'JGFSORBenchSizeA'),
  grande('sparsematmult', 'JGFSparseMatmultBenchSizeA'),
  grande('montecarlo', 'JGFMonteCarloBenchSizeA'),
  // 256 particles instead of 2,048, and 30 × 30 pixels instead of 150 × 150.
  grande('moldyn', 'JGFMolDynBenchSizeA', { smaller: ['moldyn/md.java', '{8,13}', '{4,13}'] }),
  grande('raytracer', 'JGFRayTracerBenchSizeA', {
    smaller: ['raytracer/RayTracer.java', '{150,500}', '{30,500}'],
  }),
  {
    name: 'sunflow',
    ...roadRunner('sunflow'),
    main: 'Main',
    args: [],
    smaller: ['Main.java', '"256"', '"32"'],
  },
  {
    name: 'avrora',
    ...roadRunner('avrora'),
    // Without what it simulates, it says so and ends as if all were well.
    packed: 'scratch/avrora.zip',
    main: 'avrora.Main',
    args: [
      '-seconds=0.1',
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

function grande(name, main, { coarse = true, smaller } = {}) {
  return { name, ...roadRunner(name), main, args: ['4'], coarse, smaller };
}

function compiled(name, without) {
  return { folder: `petablox-bench/${name}`, sources: 'src', without };
}

/** Where the program is run, and the words that start it; null if it is not in `checkouts`. */
export function programIn(checkouts, { folder, jar, sources, without, main, args, smaller, packed }) {
  const cwd = join(checkouts, folder);
  if (!existsSync(join(cwd, jar ?? sources))) return null;
  if (packed !== undefined)
    spawnSync('unzip', ['-qo', basename(packed)], { cwd: join(cwd, dirname(packed)) });
  if (smaller !== undefined)
    return { cwd, command: ['java', '-cp', withSmaller(cwd, smaller), main, ...args] };
  const path = jar ?? classesOf(cwd, sources, without);
  return { cwd, command: ['java', '-cp', path, main, ...args] };
}

/** The jar, which has the sources as well, with one of them changed. */
function withSmaller(cwd, [file, from, to]) {
  const changed = join(cwd, 'smaller');
  mkdirSync(changed, { recursive: true });
  spawnSync('unzip', ['-qo', '../original.jar', '*.java'], { cwd: changed });
  const source = existsSync(join(changed, file)) ? join(changed, file) : join(cwd, file);
  writeFileSync(join(changed, file), readFileSync(source, 'utf8').replace(from, to));
  const options = ['-nowarn', '-source', '8', '-target', '8', '-cp', 'original.jar', '-d', 'smaller'];
  const { status, stderr } = spawnSync('javac', [...options, join('smaller', file)], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${cwd} cannot be compiled: ${stderr}`);
  return 'smaller:original.jar';
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
