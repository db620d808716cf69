import fs from 'node:fs';
import path from 'node:path';

/** By their paths from `node_modules`. */
const MOCHA = 'mocha/bin/mocha.js';
const JASMINE = 'jasmine-node/bin/jasmine-node';
const JSON_LIMITS = ['--exit', '--timeout=60000', '-R', 'json'];

const OF_REDIS = [
  ['@redis/client/index', '@redis/client/dist/index'],
  ['@redis/client/lib', '@redis/client/dist/lib'],
  ['@redis/test-utils/lib', '@redis/test-utils/dist/lib'],
  ["'@redis/test-utils'", "'@redis/test-utils/dist/lib/index'"],
];

/**
 * `ref` names the tests of the version in test/stores; `copies` says which folder of the repository belongs where in `node_modules`. A run
 * is the arguments of Node, in the folder of the package; `count` finds the names of tests that have passed.
 */
export const SUITES = {
  'better-sqlite3': {
    repository: 'WiseLibs/better-sqlite3',
    ref: 'v12.11.1',
    copies: [{ from: 'test', to: 'better-sqlite3/test' }],
    runs: () => [[MOCHA, ...JSON_LIMITS]],
    count: ofMocha,
  },
  postgres: {
    repository: 'porsager/postgres',
    ref: 'v3.4.9',
    copies: [{ from: 'tests', to: 'postgres/tests' }],
    server: 'postgres',
    // It leaves out all that comes after a failure, such as that of a test which needs a server on the usual port, and does not end then.
    edits: [
      ['postgres/tests/test.js', /failed\s*\? \(ignored\+\+, ignore\)\s*: fn\(\)/, 'fn()'],
      ['postgres/tests/test.js', 'Object.values(tests).every', 'Object.values(tests).forEach'],
      ['postgres/tests/test.js', /t\.timeout = \d+/, 't.timeout = 60'],
      [
        'postgres/tests/test.js',
        /=== Object\.keys\(tests\)\.length && exit\(\)/,
        '$& === setImmediate(process.exit)',
      ],
    ],
    runs: () => [['tests/index.js']],
    count: ({ stdout, stderr }) => [
      ...Array.from(stdout.matchAll(/✅/g), (_, i) => `test ${i + 1}`),
      ...Array.from(stderr.matchAll(/⛔️ (.*) at line/g), ([, name]) => `fails: ${name}`),
    ],
  },
  pg: {
    repository: 'brianc/node-postgres',
    ref: 'pg@8.23.0',
    copies: [{ from: 'packages/pg/test', to: 'pg/test' }],
    server: 'postgres',
    runs: (folder) =>
      fs
        .readdirSync(path.join(folder, 'test'), { recursive: true })
        .filter((file) => /^(?:unit|integration)\b.*-tests\.js$/.test(file))
        .sort()
        .map((file) => [path.join('test', file)]),
    // What has no names of its own is one test a file.
    count: ({ stdout, status }, [file]) => [
      ...Array.from(stdout.matchAll(/^ {2}(.*) ✔$/gm), ([, name], i) => `${file}: ${i} ${name}`),
      ...(status === 0 ? [`${file} as a whole`] : []),
    ],
  },
  'pg-promise': {
    repository: 'vitaly-t/pg-promise',
    ref: '12.7.0',
    copies: [{ from: 'test', to: 'pg-promise/test' }],
    server: 'postgres',
    env: { POSTGRES_HOST: '127.0.0.1', POSTGRES_DB: 'postgres' },
    edits: [['pg-promise/test/db/header.js', 'port: 5432', 'port: Number(process.env.PGPORT)']],
    // Whether the types are right is nothing that a run could change.
    runs: (folder) => [
      ['test/db/init.js'],
      ...fs
        .readdirSync(path.join(folder, 'test'))
        .filter((file) => file.endsWith('.spec.js') && file !== 'typescript.spec.js')
        .sort()
        .map((file) => [JASMINE, '--captureExceptions', '--verbose', '--noColor', path.join('test', file)]),
    ],
    count: ofJasmine,
  },
  ioredis: {
    repository: 'redis/ioredis',
    ref: 'v6.0.0',
    copies: [
      {
        ...{ from: 'test', to: 'ioredis/test', only: /^(?:helpers|unit|functional)\b/, interop: false },
        imports: [
          ['../lib"', '../built"'],
          ['../lib/', '../built/'],
        ],
      },
    ],
    server: 'redis',
    env: { NODE_ENV: 'test' },
    // Its settings want the sources.
    runs: () => [
      [
        MOCHA,
        '--no-package',
        ...JSON_LIMITS,
        'test/helpers/*.js',
        'test/unit/**/*.js',
        'test/functional/**/*.js',
      ],
    ],
    count: ofMocha,
  },
  redis: {
    repository: 'redis/node-redis',
    ref: 'client@6.2.1',
    package: '@redis/client',
    copies: [
      {
        ...{
          from: 'packages/client/lib',
          to: '@redis/client/dist/lib',
          only: /\.spec\.ts$|\btest-utils?\.ts$/,
        },
        ...{ done: '@redis/client/dist/lib/test-utils.js', imports: OF_REDIS },
      },
      { from: 'packages/test-utils/lib', to: '@redis/test-utils/dist/lib', imports: OF_REDIS },
    ],
    server: 'containers',
    // Sentinels, TLS and proxies need the images. The rest is told which version of the server to expect.
    runs: () => [
      [
        ...[MOCHA, '--exit', '--timeout=20000', '-R', 'json', 'dist/lib/**/*.spec.js'],
        ...['sentinel/**', 'client/tls.spec.js'].map((file) => `--ignore=dist/lib/${file}`),
        ...['--redis-tag=7.0', '--redis-version=7.0'],
      ],
    ],
    count: ofMocha,
  },
};

/** What is passed has its times behind it. */
function ofJasmine({ stdout }, run) {
  return Array.from(
    stdout.matchAll(/^(.+?) - \d+ ms$/gm),
    ([, name], i) => `${run.at(-1)}: ${i} ${name.trim()}`,
  );
}

function ofMocha({ stdout }) {
  const begin = stdout.search(/^\{$/m);
  const end = stdout.lastIndexOf('\n}');
  if (begin < 0 || end < begin) return [];
  return JSON.parse(stdout.slice(begin, end + 2)).passes.map(({ fullTitle }) => fullTitle);
}
