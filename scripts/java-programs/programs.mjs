// Java programs as they are published, fetched from Maven's registry, with small drivers that use them from several threads.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../bench/.cache/java/', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';

/** `expects`: labels of blocks that are published to be broken; an empty list for the version in which they are not. */
export const PROGRAMS = [
  {
    name: 'h2 2.1.214',
    artifacts: ['com.h2database:h2:2.1.214'],
    main: 'Databases',
    args: ['jdbc:h2:mem:a;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000', '300'],
  },
  {
    name: 'hsqldb 2.7.1',
    artifacts: ['org.hsqldb:hsqldb:2.7.1'],
    main: 'Databases',
    args: ['jdbc:hsqldb:mem:a', '300'],
  },
  {
    name: 'lucene 8.7.0',
    artifacts: ['core', 'analyzers-common', 'queryparser'].map(
      (part) => `org.apache.lucene:lucene-${part}:8.7.0`,
    ),
    main: 'Lucene',
    args: ['400'],
  },
  {
    name: 'xalan 2.7.2',
    artifacts: ['xalan:xalan:2.7.2', 'xalan:serializer:2.7.2'],
    main: 'Xalan',
    args: ['40'],
  },
  {
    name: 'DBCP-369, dbcp 1.4',
    artifacts: ['commons-dbcp:commons-dbcp:1.4', 'commons-pool:commons-pool:1.5.4'],
    main: 'Dbcp',
    args: ['org.apache.commons.dbcp.datasources.SharedPoolDataSource', '2000'],
    expects: ['org.apache.commons.dbcp.datasources.InstanceKeyObjectFactory.registerNewInstance'],
    // The bug may show itself as an exception.
    mayFail: true,
  },
  {
    name: 'DBCP-369, dbcp2 2.9.0',
    artifacts: [
      'org.apache.commons:commons-dbcp2:2.9.0',
      'org.apache.commons:commons-pool2:2.10.0',
      'commons-logging:commons-logging:1.2',
    ],
    main: 'Dbcp',
    args: ['org.apache.commons.dbcp2.datasources.SharedPoolDataSource', '2000'],
    expects: [],
  },
];

/** The words that start the program, with everything that it needs fetched and compiled. */
export function commandOf({ artifacts, main, args }) {
  mkdirSync(join(CACHE, 'lib'), { recursive: true });
  const jars = artifacts.map(fetched);
  const classes = join(CACHE, 'classes', main);
  run('javac', ['-nowarn', '-d', classes, '-cp', jars.join(delimiter), join(HERE, `${main}.java`)]);
  return ['java', '-cp', [classes, ...jars].join(delimiter), main, ...args];
}

function fetched(artifact) {
  const [, name, version] = artifact.split(':');
  const jar = join(CACHE, 'lib', `${name}-${version}.jar`);
  if (!existsSync(jar))
    run('mvn', ['-q', '-B', COPY, `-Dartifact=${artifact}`, `-DoutputDirectory=${join(CACHE, 'lib')}`]);
  return jar;
}

function run(command, args) {
  const { status, stderr, stdout, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? ''}${stdout}${stderr}`);
}
