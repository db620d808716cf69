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
  ...['1.3', '1.6'].map((version) => ({
    name: `commons-pool ${version}`,
    artifacts: [`commons-pool:commons-pool:${version}`],
    main: 'Pool',
    args: ['500'],
  })),
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
  ...versions('log4j 44032', 'log4j', ['1.2.15', '1.2.17'], {
    artifact: 'log4j:log4j',
    main: 'Log4j',
    atomic: 'org.apache.log4j.spi.ThrowableInformation.getThrowableStrRep',
  }),
  ...versions('DERBY-2861', 'derby', ['10.2.2.0', '10.10.2.0'], {
    artifact: 'org.apache.derby:derby',
    main: 'Derby',
    atomic: 'org.apache.derby.iapi.sql.dictionary.TableDescriptor.getObjectName',
  }),
  {
    name: 'GROOVY-6068, groovy 1.7.9',
    artifacts: [
      'org.codehaus.groovy:groovy-all:1.7.9',
      'org.apache.ant:ant:1.8.4',
      'org.apache.ant:ant-launcher:1.8.4',
    ],
    main: 'groovy.util.Groovy',
    jvm: ['--add-opens', 'java.base/java.lang=ALL-UNNAMED'],
    args: [],
    options: ['--atomic', 'groovy.util.AntBuilder.nodeCompleted', '--instrument', '!groovy.util.Groovy*'],
    expects: ['groovy.util.AntBuilder.nodeCompleted'],
  },
  ...provoked('two logs of one name', 'commons-logging', ['1.2', '1.3.4'], {
    artifacts: ['commons-logging:commons-logging'],
    main: 'Logging',
    args: ['100'],
    expected: 'org.apache.commons.logging.impl.LogFactoryImpl.getInstance',
  }),
  ...provoked('SLF4J-167', 'slf4j', ['1.6.6', '1.7.36'], {
    artifacts: ['org.slf4j:slf4j-api', 'org.slf4j:slf4j-simple'],
    main: 'Slf4j',
    options: ['--atomic', 'org.slf4j.LoggerFactory.getILoggerFactory'],
    expected: 'org.slf4j.LoggerFactory.getILoggerFactory',
  }),
  ...[
    ['log4j:log4j:1.2.17', ['org.apache.log4j.helpers.AppenderAttachableImpl.addAppender']],
    ['ch.qos.reload4j:reload4j:1.2.25', []],
  ].map(([artifact, expects]) => ({
    name: `log4j 54325, ${artifact.replace(/^.*?:/, '').replace(':', ' ')}`,
    artifacts: [artifact],
    main: 'Appenders',
    args: ['40'],
    options: ['--provoke'],
    expects,
  })),
  ...provoked('LUCENE-651', 'lucene', ['2.0.0', '2.1.0'], {
    artifacts: ['org.apache.lucene:lucene-core'],
    main: 'FieldCaches',
    args: ['20'],
    expected: 'org.apache.lucene.search.FieldCacheImpl.getInts',
  }),
  ...provoked('Tomcat 53498', 'tomcat', ['7.0.27', '7.0.30'], {
    artifacts: ['catalina', 'coyote', 'juli', 'util', 'api', 'servlet-api'].map(
      (part) => `org.apache.tomcat:tomcat-${part}`,
    ),
    main: 'Tomcat',
    args: ['50'],
    expected: 'org.apache.catalina.core.ApplicationContext.removeAttribute',
  }),
  ...provoked('networknt 323', 'json-schema-validator', ['1.0.42', '1.0.45'], {
    artifacts: ['com.networknt:json-schema-validator'],
    others: [
      ...['core', 'databind', 'annotations'].map(
        (part) => `com.fasterxml.jackson.core:jackson-${part}:2.10.5`,
      ),
      'org.slf4j:slf4j-api:1.7.36',
      'org.slf4j:slf4j-nop:1.7.36',
      'org.apache.commons:commons-lang3:3.12.0',
    ],
    main: 'Schemas',
    args: ['50'],
    expected: 'com.networknt.schema.JsonMetaSchema.newValidator',
  }),
  ...provoked('java-util 172', 'java-util', ['3.3.2', '3.4.0'], {
    artifacts: ['com.cedarsoftware:java-util'],
    main: 'NullSafeMaps',
    args: ['100'],
    expected: 'com.cedarsoftware.util.AbstractConcurrentNullSafeMap.computeIfAbsent',
  }),
  ...provoked('OGNL 106', 'ognl', ['3.2.15', '3.2.16'], {
    artifacts: ['ognl:ognl'],
    others: ['org.javassist:javassist:3.27.0-GA'],
    main: 'Getters',
    expected: 'ognl.OgnlRuntime$ClassPropertyMethodCache.get',
  }),
  ...provoked('subscribers of one event', 'guava', ['11.0.2', '15.0'], {
    artifacts: ['com.google.guava:guava'],
    main: 'EventBuses',
    expected: 'com.google.common.collect.AbstractMultimap.getOrCreateCollection',
  }),
  ...provoked('Otto 16', 'otto', ['1.3.0', '1.3.2'], {
    artifacts: ['com.squareup:otto'],
    main: 'Buses',
    expected: 'com.squareup.otto.Bus.register',
  }),
  ...provoked('hypersistence-tsid 22', 'tsid', ['2.1.1', '2.1.2'], {
    artifacts: ['io.hypersistence:hypersistence-tsid'],
    others: ['org.slf4j:slf4j-api:1.7.36'],
    main: 'Tsids',
    options: ['--atomic', 'io.hypersistence.tsid.TSID$Factory.generate'],
    expected: 'io.hypersistence.tsid.TSID$Factory.generate',
  }),
  ...provoked('stringtemplate4 83', 'ST4', ['4.0.8', '4.3.4'], {
    artifacts: ['org.antlr:ST4'],
    others: ['org.antlr:antlr-runtime:3.5.3'],
    main: 'Templates',
    options: ['--atomic', 'org.stringtemplate.v4.STGroupFile.load'],
    expected: 'org.stringtemplate.v4.STGroupFile.load',
  }),
  ...[
    ['bean-utils-library:1.1.2', 'com.hotels.beans.cache', true],
    ['bull-common:1.1.24', 'com.hotels.transformer.cache', false],
  ].map(([artifact, folder, isBad]) => ({
    name: `bull 49, ${artifact.replace(':', ' ')}`,
    artifacts: [`com.hotels.beans:${artifact}`],
    main: 'BeanCaches',
    args: [`${folder}.CacheManagerFactory`],
    options: ['--provoke'],
    expects: isBad ? [`${folder}.CacheManagerFactory.getCacheManager`] : [],
  })),
  ...['0.2.2', '0.4.0'].map((version) => ({
    name: `concurrency-limits 140, ${version}`,
    artifacts: [
      `com.netflix.concurrency-limits:concurrency-limits-core:${version}`,
      'org.slf4j:slf4j-api:1.7.36',
    ],
    main: 'Limits',
    args: [],
    options: ['--provoke'],
    expects: version === '0.2.2' ? ['com.netflix.concurrency.limits.limiter.SimpleLimiter.acquire'] : [],
  })),
  ...['3.9.5.Final', '3.10.0.Final'].map((version) => ({
    name: `netty 3249, ${version}`,
    artifacts: [`io.netty:netty:${version}`],
    main: 'org.jboss.netty.channel.socket.nio.Bosses',
    args: [],
    options: ['--provoke'],
    expects: version === '3.9.5.Final' ? ['org.jboss.netty.channel.socket.nio.AbstractNioBossPool.init'] : [],
  })),
  // Not corrected in any version so far.
  {
    name: 'commons-lang 1781, commons-lang3 3.21.0',
    artifacts: ['org.apache.commons:commons-lang3:3.21.0'],
    main: 'Listeners',
    args: [],
    options: ['--provoke'],
    expects: ['org.apache.commons.lang3.event.EventListenerSupport.addListener'],
  },
  {
    name: 'json-logic-java 65, json-logic-java 1.1.0',
    artifacts: ['io.github.jamsesso:json-logic-java:1.1.0', 'com.google.code.gson:gson:2.11.0'],
    main: 'Rules',
    args: [],
    options: ['--provoke'],
    expects: ['io.github.jamsesso.jsonlogic.JsonLogic.apply'],
  },
  {
    name: 'StringBuffer.append of this JDK',
    artifacts: [],
    main: 'Append',
    args: ['100000'],
    options: ['--atomic', 'java.lang.StringBuffer.append'],
    expects: ['java.lang.StringBuffer.append'],
  },
];

/** The same bug in the version that has it, and in one that has not. The class of the driver is not watched. */
function versions(bug, name, [bad, good], { artifact, main, atomic }) {
  return [bad, good].map((version) => ({
    name: `${bug}, ${name} ${version}`,
    artifacts: [`${artifact}:${version}`],
    main,
    args: [],
    options: ['--atomic', atomic, '--instrument', `!${main}*`],
    expects: version === bad ? [atomic] : [],
  }));
}

/** The same without a schedule: `--provoke` makes one. */
function provoked(
  bug,
  name,
  [bad, good],
  { artifacts, others = [], main, args = [], options = [], expected },
) {
  return [bad, good].map((version) => ({
    name: `${bug}, ${name} ${version}`,
    artifacts: [...artifacts.map((artifact) => `${artifact}:${version}`), ...others],
    main,
    args,
    options: ['--provoke', ...options],
    expects: version === bad ? [expected] : [],
  }));
}

/** The words that start the program, with everything that it needs fetched and compiled. */
export function commandOf({ artifacts, main, args, jvm = [] }) {
  mkdirSync(join(CACHE, 'lib'), { recursive: true });
  const jars = artifacts.map(fetched);
  const classes = join(CACHE, 'classes', main);
  const source = join(HERE, `${main.replace(/^.*\./, '')}.java`);
  run('javac', ['-nowarn', '-d', classes, '-cp', [classes, ...jars].join(delimiter), source]);
  return ['java', ...jvm, '-cp', [classes, ...jars].join(delimiter), main, ...args];
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
