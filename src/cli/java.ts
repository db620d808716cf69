import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import type { ForkJoin } from '../analyses/analysis.ts';
import { loadAnalyses } from '../analyses/load.ts';
import { knowsFamilies, mayFind } from '../analyses/selection.ts';
import type { AnalysisResult } from '../check/result.ts';
import { sourceFolders } from '../external/source-path.ts';
import { specificationFrom } from '../spec/specification.ts';
import { InputProblem } from '../trace/problem.ts';
import { addReportingOptions, CheckReports, type ReportingOptions } from './check-reports.ts';
import { EXIT_CODES } from './exit.ts';
import { checkExternal, type ExternalProgram, recordExternal, socketPath } from './external-run.ts';
import {
  addSpecificationOptions,
  collect,
  forkJoinOption,
  provokeOption,
  provokingOption,
  type SpecificationOptions,
  specificationParts,
} from './options.ts';
import { Progress } from './progress.ts';
import { scratchPath } from './scratch.ts';
import { TOOL } from './tool.ts';

const EXAMPLES = `
Examples:
  trackside java -- java -jar app.jar        run it, and say what was not atomic
  trackside java app.jar                     the same
  trackside java -- java -cp classes Main 8  options of java and of the program
  trackside java --atomic 'Bank.*' -- java Bank
                                             all methods of Bank are blocks, too
  trackside java --atomic-all --record run.trk -- java -jar app.jar
  trackside refine run.trk                   ... and which methods hold
  trackside java --source-path src/main/java -- java -jar app.jar
  trackside java --provoke -- java -jar app.jar
                                             let threads come in between more often
  trackside java -- mvn test                 every JVM that Maven starts
  trackside java --print-agent               for those who start Java themselves

Blocks are the methods that synchronise, unless they wait or are what a thread
runs; --atomic and the annotation @Atomic add others. The program's output
stays its own: the text report goes to standard error.

${EXIT_CODES}  A program that fails keeps its own exit code.
`;

const AGENT = fileURLToPath(new URL('../java/trackside-agent.jar', import.meta.url));

interface Options extends ReportingOptions, SpecificationOptions {
  atomic: string[];
  atomicAll: boolean;
  synchronizedBlocks: boolean;
  arrays: 'elements' | 'coarse';
  instrument: string[];
  jdk: boolean;
  provoke?: number;
  analysis: string;
  forkJoin?: ForkJoin;
  first: boolean;
  sourcePath: string[];
  record?: string;
  printAgent: boolean;
  complete: boolean;
  everything: boolean;
  statistics: boolean;
}

export function addJavaCommand(program: Command): void {
  const command = program.command('java');
  refuseOptionsOfJava(command);
  command
    .summary('run a Java program and check it')
    .description(
      'Runs a Java program, checks it while it runs, and says which of its blocks were not atomic.',
    )
    .argument('[command...]', 'how the program is started, after --: java -jar app.jar')
    .passThroughOptions()
    .option('--atomic <glob>', "methods that are blocks as well, such as 'Bank.*' (repeatable)", collect, [])
    .option('--atomic-all', 'every method is a block, but main, run and what waits', false)
    .option('--synchronized-blocks', 'synchronized statements are blocks, too', false)
    .addOption(
      new Option('--arrays <how>', 'elements of arrays are watched one by one, or coarse: all as one')
        .choices(['elements', 'coarse'])
        .default('elements'),
    )
    .option(
      '--instrument <glob>',
      "classes to watch besides the program's, such as 'java.text.*'; '!glob' leaves classes out (repeatable)",
      collect,
      [],
    )
    .option('--no-jdk', 'do not look into HashMap, StringBuffer and the like')
    .addOption(provokeOption())
    .option('--record <file>', 'only write the trace, as .trk')
    .option('--print-agent', 'print the option that makes java record a trace by itself, and end', false)
    .option(
      '--source-path <path>',
      'folders and source jars in which to look for sources (repeatable)',
      collect,
      [],
    )
    .option('--analysis <names>', 'which analyses to run, separated by commas, or all', 'regiontrack')
    .option(
      '--complete',
      'write also what only one thread has touched, as analyses other than exact ones need it; they get it by themselves',
      false,
    )
    .addOption(new Option('--everything', 'write also what is redundant').default(false).hideHelp())
    .addOption(new Option('--statistics', 'say how much was written').default(false).hideHelp());
  addSpecificationOptions(command)
    .addOption(forkJoinOption())
    .option('--first', 'stop checking at the first violation', false);
  addReportingOptions(command)
    .addHelpText('after', EXAMPLES)
    .action((words: string[]) => java(words, command.opts()));
}

/** Options of java before any `--` are most likely meant for java. */
function refuseOptionsOfJava(command: Command): void {
  const refusing = command as unknown as { unknownOption(option: string): void };
  const refuse = refusing.unknownOption.bind(command);
  refusing.unknownOption = (option) => {
    if (!OF_JAVA.test(option)) refuse(option);
    throw new InputProblem(`${option} is an option of java`, {
      expected: '-- before the program: trackside java -- java -jar app.jar',
    });
  };
}

const OF_JAVA = /^(?:-[a-zA-Z].|--(?:add-|enable-|module|class-path|upgrade))/;

async function java(words: readonly string[], options: Options): Promise<void> {
  if (!existsSync(AGENT)) {
    throw new InputProblem('what watches Java programs has not been built', {
      file: AGENT,
      expected: 'npm run build:java, which takes a JDK and Maven',
    });
  }
  if (options.printAgent) {
    process.stdout.write(`-javaagent:${AGENT}=record=trackside-%p.trk\n`);
    return;
  }
  if (words.length === 0) {
    throw new InputProblem('there is no program to run', {
      expected: 'how it is started: trackside java -- java -jar app.jar',
    });
  }
  const socket = await socketPath();
  const program = await watched(words, socket, options);
  if (options.record !== undefined) await record(program, socket, options.record, options);
  else await check(program, socket, options);
}

async function record(
  program: ExternalProgram,
  socket: string,
  file: string,
  { quiet }: Options,
): Promise<void> {
  const { code, files, notes } = await recordExternal(program, socket, file);
  refuseUnwatched(files.length, code);
  if (!quiet) for (const note of notes) process.stderr.write(`${note}\n`);
  if (code !== 0) process.exitCode = code;
}

async function check(program: ExternalProgram, socket: string, options: Options): Promise<void> {
  const forkJoin = options.forkJoin ?? (knowsFamilies(options.analysis) ? 'family' : 'edge');
  const analyses = await loadAnalyses(options.analysis, forkJoin);
  const parts = await specificationParts(options);
  const specification = specificationFrom({ ...parts, files: parts.files.map(asLabels) });
  const sourceRoot = await sourceFolders(
    options.sourcePath.flatMap((path) => path.split(delimiter)),
    join(dirname(await scratchPath()), 'sources'),
  );
  const reports = await CheckReports.open(
    TOOL,
    { ...options, provoking: provokingOption(options) },
    [],
    process.stderr,
  );
  const progress = new Progress(process.stderr, options);
  const found: AnalysisResult[] = [];
  const { code, traces } = await checkExternal(
    program,
    socket,
    {
      analyses,
      specification,
      forkJoin,
      first: options.first,
      confirm: false,
      subtraces: reports.showsSubtraces,
      sourceRoot,
      judge: async (results, trace) => {
        if (results.every(({ violations }) => violations.length === 0)) return [...results];
        const { javaResults } = await import('../external/java-judgement.ts');
        return javaResults(results, trace, { specification, forkJoin });
      },
      onResults: async (results) => void found.push(...results.map(withAdvice)),
    },
    progress,
  );
  refuseUnwatched(traces, code);
  await reports.saved(withoutBystanders(found));
  await reports.finish();
  // What the program says about itself comes first.
  if (code !== 0) process.exitCode = code;
}

/** Whoever has nothing checked has to be told how to have it. */
function withAdvice(result: AnalysisResult): AnalysisResult {
  const { blocks, notes = [] } = result;
  return blocks.checked + blocks.leftOut > 0 ? result : { ...result, notes: [...notes, NO_BLOCKS] };
}

const NO_BLOCKS =
  "To say which methods are meant to be atomic: --atomic 'Bank.*'; --atomic-all for every one of them.";

/** Of several processes, those that only start the others have nothing to report. */
function withoutBystanders(results: readonly AnalysisResult[]): readonly AnalysisResult[] {
  const active = results.filter(({ events, blocks }) => events > 0 && blocks.checked > 0);
  return active.length > 0
    ? active
    : results.filter(({ analysis }, i) => results.findIndex((other) => other.analysis === analysis) === i);
}

function refuseUnwatched(traces: number, code: number): void {
  if (traces > 0) return;
  throw new InputProblem('no Java program was watched', {
    found: `a command that ended with ${code} and started no JVM with the agent in it`,
    expected:
      'a command that starts java, 17 or newer; one that cleans its environment must be given the line of --print-agent',
  });
}

/** The program with the agent in it: as an option of `java` itself, else for every JVM that the command starts. */
async function watched(words: readonly string[], socket: string, options: Options): Promise<ExternalProgram> {
  const file = `${socket}.options`;
  const agent = `${AGENT}=options=${file}`;
  const [command, ...args] = withJava(words);
  const isJava = /^java(?:\.exe)?$/i.test(basename(command));
  const missing = isJava
    ? `a JDK or JRE, 17 or newer: apt-get install default-jre-headless, or brew install openjdk`
    : 'a command, or a jar; a class is started by java: trackside java -- java -cp classes Main';
  const parent = isJava ? [`parent=${process.pid}`] : [];
  await writeFile(file, [...agentOptions(socket, options), ...parent].join('\n'));
  if (isJava) {
    const option = hasDefaultModules(args) ? '-agentlib:instrument=' : '-javaagent:';
    return { command, args: [`${option}${agent}`, ...args], env: {}, inherits: isJava, missing };
  }
  const before = process.env.JAVA_TOOL_OPTIONS;
  const option = `-javaagent:${agent}`;
  const quoted = /\s/.test(option) ? `"${option}"` : option;
  return {
    command,
    args,
    env: { JAVA_TOOL_OPTIONS: before === undefined ? quoted : `${before} ${quoted}` },
    missing,
  };
}

/** A jar, a source file, or options of java, by themselves are meant for java. */
function withJava(words: readonly string[]): readonly string[] {
  const [first] = words;
  if (first.startsWith('-')) return ['java', ...words];
  if (!/\.(?:jar|java)$/i.test(first)) return words;
  if (!existsSync(first)) throw new InputProblem('there is no such file', { file: first });
  return /\.jar$/i.test(first) ? ['java', '-jar', ...words] : ['java', ...words];
}

/**
 * Whether the program is sure to have the module that agents need, as all have that are on the class path. To ask for it, as
 * `-javaagent` does, would keep the JVM from starting with the graph of modules that it has stored.
 */
function hasDefaultModules(args: readonly string[]): boolean {
  const { JAVA_TOOL_OPTIONS = '', JDK_JAVA_OPTIONS = '', _JAVA_OPTIONS = '' } = process.env;
  const all = [...args, ...`${JAVA_TOOL_OPTIONS} ${JDK_JAVA_OPTIONS} ${_JAVA_OPTIONS}`.split(/\s+/)];
  return !all.some((word) => /^(?:-m|--module|--limit-modules|@.*)(?:=.*)?$/s.test(word));
}

function agentOptions(socket: string, options: Options): string[] {
  return [
    `connect=${resolve(socket)}`,
    ...options.atomic.map((glob) => `atomic=${glob}`),
    ...options.instrument.map((glob) => `instrument=${glob}`),
    ...(options.atomicAll ? ['atomic-all'] : []),
    ...(options.synchronizedBlocks ? ['synchronized-blocks'] : []),
    ...(options.jdk ? [] : ['no-jdk']),
    ...(options.provoke === undefined ? [] : [`provoke=${options.provoke}`]),
    ...(options.complete || !isExact(options) ? ['complete'] : []),
    ...(options.everything ? ['everything'] : []),
    ...(options.statistics ? ['statistics'] : []),
    // What is found is judged by the program's code; a recorded trace may be checked in any way.
    ...(options.record !== undefined || mayFind(options.analysis) ? [] : ['not-judged']),
    `arrays=${options.arrays}`,
  ];
}

/** Those to which it makes no difference where exactly a thread touched what was its own. */
const EXACT: ReadonlySet<string> = new Set([
  'regiontrack',
  'atomsanitizer',
  'aerodrome',
  'aerodrome-basic',
  'velodrome',
  'doublechecker',
  'empty',
  'count',
]);

function isExact({ analysis, record }: Options): boolean {
  return record !== undefined || analysis.split(',').every((name) => EXACT.has(name.trim()));
}

/** RoadRunner and RAPID write `bank/Account.pay(I)V` where labels here are `bank.Account.pay`. */
function asLabels(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.trimStart().startsWith('#') ? line : line.replaceAll('/', '.').replace(/\(.*$/, '')))
    .join('\n');
}
