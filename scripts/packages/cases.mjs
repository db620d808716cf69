// What scripts/packages.mjs tries. Versions are pinned, so that the table in docs/packages.md can be made again.

/**
 * Published bugs: `bad` must be reported for `block` at these lines, `good` must not be. `report` is the issue, where one
 * is known; the others were found by comparing what two versions do.
 */
export const BUGS = [
  {
    name: 'auth-app',
    from: '@octokit/auth-app',
    bad: '7.1.5',
    good: '7.2.0',
    block: 'getInstallationAuthentication',
    lines: ['index.js:53', 'index.js:97'],
    report: 'octokit/auth-app.js#688',
  },
  {
    name: 'type-cacheable',
    from: '@type-cacheable/core',
    bad: '9.2.0',
    good: '10.1.0',
    block: 'DefaultStrategy.handle',
    lines: ['type-cacheable.mjs:7', 'type-cacheable.mjs:8'],
    report: 'joshuaslate/type-cacheable#444',
  },
  {
    name: 'gtoken',
    bad: '5.0.0',
    good: '7.1.0',
    block: 'GoogleToken.getTokenAsync',
    lines: ['index.js:57', 'index.js:212'],
    report: 'the release notes of gtoken, in which requests in flight are shared',
  },
  {
    name: 'node-fetch-cache',
    bad: '2.0.1',
    good: '3.0.0',
    block: 'getResponse',
    lines: ['index.js:92', 'index.js:102'],
    report: 'the release notes of node-fetch-cache 3, in which requests of one key wait for each other',
  },
  {
    name: 'node-json-db',
    bad: '2.1.1',
    good: '2.1.2',
    block: 'JsonDB.load',
    lines: ['JsonDB.js:299', 'JsonDB.js:304'],
    report: 'Belphemur/node-json-db#484',
  },
  {
    name: 'cacheable',
    bad: '1.8.2',
    good: '1.8.4',
    block: 'wrap.<anonymous>',
    lines: ['index.js:101', 'index.js:104'],
    report: 'jaredwray/cacheable#888',
  },
  {
    name: 'keyv',
    bad: '4.1.1',
    good: '4.2.0',
    block: 'Keyv.get',
    lines: ['keyv.mjs:7', 'keyv.mjs:14'],
    report: 'keyv#198',
  },
  { name: 'lowdb', bad: '2.1.0', good: '2.1.0', block: 'increment', lines: [], report: 'typicode/lowdb#478' },
  {
    name: 'cache-manager',
    bad: '5.2.3',
    good: '5.7.6',
    block: 'caching.wrap',
    lines: ['caching.js:37', 'caching.js:40'],
    report: 'jaredwray/cacheable#125',
  },
  {
    name: 'cacheable-lookup',
    bad: '4.1.2',
    good: '5.0.4',
    block: 'CacheableLookup.query',
    lines: ['index.js:187', 'index.js:229'],
    report: null,
  },
  {
    name: 'property-provider',
    from: '@aws-sdk/property-provider',
    bad: '3.22.0',
    good: '3.40.0',
    block: 'memoize.<anonymous>',
    lines: ['memoize.js:26', 'memoize.js:32'],
    report: null,
  },
  {
    name: 'google-auth-library',
    bad: '1.3.2',
    good: '1.6.1',
    block: 'OAuth2Client.getRequestMetadataAsync',
    lines: [],
    report: null,
  },
];

/** Packages without such a bug, each driven by the file of this name; `also` is what that needs besides. */
export const HEALTHY = {
  async: '3.2.6',
  'async-cache-dedupe': '3.0.0',
  'async-lock': '1.4.1',
  'async-mutex': '0.5.0',
  axios: '1.9.0',
  bottleneck: '2.19.5',
  'cache-manager': '7.0.0',
  cacheable: '1.9.0',
  dataloader: '2.2.3',
  express: '5.1.0',
  fastify: '5.3.3',
  fastq: '1.19.1',
  'generic-pool': '3.9.0',
  got: '14.4.7',
  keyv: '5.3.3',
  koa: '3.0.1',
  lowdb: '7.0.1',
  'lru-cache': '11.1.0',
  'memory-level': '3.1.0',
  'node-cache': '5.1.2',
  'p-limit': '6.2.0',
  'p-memoize': '7.1.1',
  'p-queue': '8.1.0',
  'rate-limiter-flexible': '7.1.1',
  'socket.io': '4.8.1',
  undici: '7.10.0',
  'write-file-atomic': '6.0.0',
  ws: '8.18.2',
};

/** What drivers need besides the package of their name. */
export const ALSO = {
  'p-map': '7.0.3',
  'p-retry': '6.2.1',
  'p-throttle': '7.0.0',
  'socket.io-client': '4.8.1',
};

/** All files of a folder, in one run. */
const MOCHA = ['node_modules/mocha/bin/mocha.js', '--exit'];

/**
 * Packages that are published with their own tests. `files` are globs, `also` is what the tests need besides the package's
 * dependencies, `runner` what they are run by if not by Node alone. `not` are files that need a server of some kind.
 */
export const SUITES = [
  {
    name: 'aedes',
    version: '1.2.0',
    also: { mqtt: '5.16.0', ws: '8.22.2' },
    files: ['test/*.js', 'test/require.cjs'],
    not: ['test/helper.js', 'test/drain-toxiproxy.js'],
  },
  {
    name: 'async-cache-dedupe',
    version: '3.4.0',
    also: { '@matteo.collina/tspl': '0.1.1', fastq: '1.20.3', ioredis: '5.6.1', proxyquire: '2.1.3' },
    files: ['cache', 'transformer', 'util'].map((name) => `test/${name}.test.js`),
    isPart: true,
  },
  { name: 'avvio', version: '9.3.1', files: ['test/**/*.test.js'] },
  { name: 'better-queue', version: '3.8.12', also: { mocha: '10.8.2' }, runner: MOCHA, files: ['test'] },
  { name: 'fastq', version: '1.20.3', also: { tape: '5.9.0' }, files: ['test/*.js'] },
  {
    name: 'find-my-way',
    version: '9.10.0',
    also: { proxyquire: '2.1.3', rfdc: '1.4.1' },
    files: ['test/*.test.js'],
  },
  {
    name: 'light-my-request',
    version: '6.8.0',
    also: {
      '@fastify/ajv-compiler': '4.0.7',
      'end-of-stream': '1.4.5',
      express: '5.3.0',
      'form-auto-content': '3.2.1',
      'form-data': '4.0.6',
      'formdata-node': '6.0.3',
      multer: '2.5.0',
      undici: '7.30.2',
    },
    files: ['test/*.test.js'],
  },
  {
    name: 'lru-memoizer',
    version: '3.0.0',
    runner: MOCHA,
    files: ['test'],
    also: { chai: '3.5.0', mocha: '10.8.2', sinon: '7.5.0' },
  },
  { name: 'mqemitter', version: '7.1.0', files: ['test/test.js'] },
  { name: 'mutexify', version: '1.4.0', also: { tape: '5.9.0' }, files: ['test.js'] },
  { name: 'retimer', version: '4.0.0', also: { tape: '5.9.0' }, files: ['test.js'] },
  {
    name: 'sonic-boom',
    version: '5.0.2',
    also: { '@sinonjs/fake-timers': '15.4.0', proxyquire: '2.1.3' },
    files: ['test/*.test.js'],
  },
  { name: '@fastify/caching', version: '9.0.4', also: { fastify: '5.3.3' }, files: ['test/*.test.js'] },
  {
    name: '@fastify/rate-limit',
    version: '10.3.0',
    also: { fastify: '5.3.3', ioredis: '5.6.1' },
    files: [
      'create-rate-limit',
      'exponential-backoff',
      'global-rate-limit',
      'group-rate-limit',
      'route-rate-limit',
    ].map((name) => `test/${name}.test.js`),
    isPart: true,
  },
  {
    name: '@fastify/under-pressure',
    version: '9.2.0',
    also: { fastify: '5.3.3', proxyquire: '2.1.3', semver: '7.8.6', sinon: '22.1.0' },
    files: ['test/**/*.test.js'],
  },
];

/** What does not come out as it should; docs/packages.md says why. */
export const KNOWN = new Set(['google-auth-library']);
