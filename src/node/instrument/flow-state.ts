/*
 * What the dependence analysis knows while it goes through a file: where the values of variables come from, and which
 * conditions have let it come this far.
 */

import type { Node } from './ast.ts';
import type { FunctionFlow } from './callees.ts';
import type { Link } from './links.ts';
import { keyPath, rootOf } from './member-paths.ts';
import type { Binding } from './scope.ts';
import { type Phase, SourceMarks } from './source-marks.ts';
import { NO_SOURCES, type SourceSet, union, without } from './source-sets.ts';

/** What an access, or a call, depends on. */
export interface Act {
  /** The function that it stands in. */
  flow: FunctionFlow;
  /** Sources of what is written or passed. */
  data: SourceSet;
  /** Numbers of the conditions that decide whether it is reached, within its function. */
  conditions: ReadonlySet<number>;
}

/** A call of something that is followed: functions of the file, or what may be in another one. */
export interface CallFlow {
  /** The function that it stands in. */
  by: FunctionFlow;
  targets: readonly FunctionFlow[];
  link: Link | null;
  given: readonly SourceSet[];
  conditions: ReadonlySet<number>;
  phase: Phase;
  /** The numbers that stand for what comes back from another file, and for what decides there whether it throws. */
  result: number;
  throws: number;
}

type Environment = Map<Binding, SourceSet>;

/** What is put aside while a function inside of another one is looked at. */
interface Frame {
  flow: FunctionFlow;
  environment: Environment;
  conditions: readonly number[];
  /** So many of them, the first, are those of functions around this one. */
  inherited: number;
  exits: number[];
  /** Whether the function has waited by now, for one that may. */
  phase: Phase;
}

export class FlowState {
  /** By number; the first is `OUTSIDE`. Parameters, names of properties and what comes back from calls have numbers too, but no node. */
  readonly sources: (Node | null)[] = [null];
  /** What each condition looks at. */
  readonly conditions: SourceSet[] = [];
  /** The conditions that stand for whether a call has thrown. */
  readonly throwing = new Set<number>();
  readonly acts = new Map<Node, Act>();
  /** Which function a source or an act stands in. */
  readonly flowOf = new Map<Node, FunctionFlow>();
  readonly calls = new Map<Node, CallFlow>();
  /** By calls: the conditions that only choose among calls of the same function. */
  readonly choosing = new Map<Node, Set<number>>();
  /** The conditions that something is behind only as a branch of them has waited. */
  readonly settled = new Set<number>();
  readonly marks = new SourceMarks(() => this.newSource());

  readonly #sourceIds = new Map<Node, number>();
  readonly #propertyIds = new Map<string, number>();
  readonly #conditionIds = new Map<Node, number>();
  /** What a variable has ever been given, for functions that look at variables of others. */
  readonly #everywhere: Environment = new Map();
  readonly #fresh = new Set<Binding>();
  /** By objects: the variables that hold what their methods have come to. */
  readonly #made = new Map<Binding, Set<Binding>>();
  /** By what files are written by: the variables that hold their paths. */
  readonly #opened = new Map<Binding, Binding>();
  #frame: Frame | null = null;

  newSource = (): number => this.sources.push(null) - 1;

  /** Starts anew at the begin of the file, with all that has been found out. */
  restart(module: FunctionFlow): void {
    this.#frame = {
      flow: module,
      environment: new Map(),
      conditions: [],
      inherited: 0,
      exits: [],
      phase: 'any',
    };
  }

  get #now(): Frame {
    if (this.#frame === null) throw new Error('not started');
    return this.#frame;
  }

  get flow(): FunctionFlow {
    return this.#now.flow;
  }

  /** The conditions that have led here. */
  get reachedBy(): readonly number[] {
    return this.#now.conditions;
  }

  /** Looks at a function; what it sees of those around it, it may see later, when that has changed. */
  inFunction(flow: FunctionFlow, isHoisted: boolean, inside: () => void): void {
    const outer = this.#now;
    flow.around ??= outer.flow;
    const conditions = isHoisted ? [] : outer.conditions;
    this.#frame = {
      flow,
      environment: new Map(),
      conditions,
      inherited: conditions.length,
      exits: [],
      phase: flow.isAsync ? 'first' : 'any',
    };
    inside();
    this.#frame = outer;
  }

  // ---- Sources and acts ---------------------------------------------------------------------------------------------

  source(node: Node): SourceSet {
    let id = this.#sourceIds.get(node);
    if (id === undefined) {
      id = this.sources.push(node) - 1;
      this.#sourceIds.set(node, id);
      this.flowOf.set(node, this.flow);
    }
    return new Set([id]);
  }

  /** Marks what was taken from a property of this name. */
  property(name: string | undefined): SourceSet {
    if (name === undefined) return NO_SOURCES;
    let id = this.#propertyIds.get(name);
    if (id === undefined) {
      id = this.newSource();
      this.#propertyIds.set(name, id);
    }
    return new Set([id]);
  }

  act(node: Node, data: SourceSet): void {
    const known = this.acts.get(node);
    this.flowOf.set(node, this.flow);
    this.acts.set(node, {
      flow: this.flow,
      data: known === undefined ? data : union(known.data, data),
      conditions: new Set([...(known?.conditions ?? []), ...this.reachedBy]),
    });
  }

  /** A call, each time that the analysis comes to it. */
  call(node: Node, call: Pick<CallFlow, 'targets' | 'link' | 'given'>): CallFlow {
    const known = this.calls.get(node);
    const now: CallFlow = {
      ...call,
      by: this.flow,
      given: call.given.map((value, i) => union(value, known?.given[i] ?? NO_SOURCES)),
      conditions: new Set([...(known?.conditions ?? []), ...this.reachedBy]),
      phase: known === undefined || known.phase === this.phase ? this.phase : 'any',
      result: known?.result ?? this.newSource(),
      throws: known?.throws ?? this.newSource(),
    };
    this.calls.set(node, now);
    return now;
  }

  get phase(): Phase {
    return this.#now.phase;
  }

  /** The function gives up control; it goes on when others may have done anything. */
  wait(): void {
    if (this.#now.phase === 'first') this.#now.phase = 'later';
  }

  /** What functions have read that were called now and do not wait: the same place may be read again at another time. */
  readNow = (sources: SourceSet): SourceSet => {
    const { phase } = this;
    if (phase === 'any') return sources;
    return this.marks.mark(sources, (source) => {
      const node = this.sources[source] ?? null;
      if (node === null || this.flowOf.get(node)?.isAsync !== false) return null;
      return { source, phase, through: null };
    });
  };

  // ---- Variables -----------------------------------------------------------------------------------------------

  lookUp(binding: Binding): SourceSet {
    const here = this.#now.environment.get(binding);
    if (here !== undefined) return here;
    // What others put into a variable that changes is read in the trace.
    return binding.index < 0 ? (this.#everywhere.get(binding) ?? NO_SOURCES) : NO_SOURCES;
  }

  give(binding: Binding | undefined, value: SourceSet): void {
    if (binding === undefined) return;
    // What is made of its own value, as by `n++`, is read again in the trace.
    const isOwn = (source: number) => {
      const node = this.sources[source];
      return node?.type === 'Identifier' && node.binding === binding;
    };
    this.#now.environment.set(binding, binding.index < 0 ? value : without(value, isOwn));
    if (binding.captured || binding.kind === 'param')
      this.#everywhere.set(binding, union(this.#everywhere.get(binding) ?? NO_SOURCES, value));
  }

  /** The function makes an object of its own, and keeps it in this variable. */
  noteFresh(binding: Binding | undefined): void {
    if (binding !== undefined) this.#fresh.add(binding);
  }

  /**
   * Something is put into an object: if the function has made it, whoever has it has that too. What comes out of others is read
   * in the trace, so that it need not be what this function has put there. `behind` is the way to where in the object that is.
   */
  putInto(object: Node, value: SourceSet, behind: string | null = null): void {
    const root = rootOf(object);
    if (root.type !== 'Identifier' || root.binding === undefined || value.size === 0) return;
    if (root.binding.scope.home !== this.flow.node.scope) return;
    const through = keyPath(object, behind);
    if (root.binding.kind === 'param') this.flow.notePut(root.binding, through, value);
    const put = this.#fresh.has(root.binding)
      ? value
      : this.marks.mark(value, (source) =>
          this.marks.throughOf(source) === null ? { source, phase: 'any', through } : null,
        );
    const path = this.#opened.get(root.binding);
    for (const holder of path === undefined ? [root.binding] : [root.binding, path])
      this.give(holder, union(this.lookUp(holder), put));
  }

  /** A variable is given something by which the file of that name is written. */
  noteOpened(binding: Binding | undefined, path: Binding | undefined): void {
    if (binding !== undefined && path !== undefined) this.#opened.set(binding, path);
  }

  /** A variable is given what a method of an object comes to: the object may know of it, and of what is done to it. */
  noteMadeBy(binding: Binding | undefined, maker: Binding | undefined): void {
    if (binding === undefined || maker === undefined) return;
    const made = this.#made.get(maker);
    if (made === undefined) this.#made.set(maker, new Set([binding]));
    else if (made.size < MOST_MADE) made.add(binding);
  }

  /**
   * What the function itself has put into an object that it was given: `post.likes += 1; await post.save()`. With `isMaker`, also
   * into those that a method of the object has come to.
   */
  putIn(object: Node, isMaker: boolean): SourceSet {
    const root = rootOf(object);
    if (root.type !== 'Identifier' || root.binding === undefined) return NO_SOURCES;
    const { binding } = root;
    const made = (isMaker && this.#made.get(binding)) || [];
    const found = new Set<number>();
    for (const each of [binding, ...made])
      for (const source of this.lookUp(each)) {
        const mark = this.marks.of(source);
        if (mark !== undefined && mark.through !== null) found.add(mark.source);
      }
    return found;
  }

  /** What may be got from an object by a property of this name, of all that is known to be in it. */
  takenBy(name: string | undefined, object: SourceSet): SourceSet {
    return name === undefined ? object : this.marks.behind(name, object);
  }

  // ---- Control -------------------------------------------------------------------------------------------------

  /** The number of a condition, with what it looks at. */
  condition(node: Node, sources: SourceSet): number {
    let id = this.#conditionIds.get(node);
    if (id === undefined) {
      id = this.conditions.push(NO_SOURCES) - 1;
      this.#conditionIds.set(node, id);
    }
    this.conditions[id] = union(this.conditions[id], sources);
    return id;
  }

  /** The same condition, for what goes on as one branch of it has waited. */
  settling(branch: Node, condition: number): number {
    const id = this.condition(branch, this.conditions[condition]);
    this.settled.add(id);
    return id;
  }

  noteChoosing(call: Node, condition: number): void {
    const known = this.choosing.get(call);
    if (known === undefined) this.choosing.set(call, new Set([condition]));
    else known.add(condition);
  }

  under(condition: number, inside: () => void): void {
    const frame = this.#now;
    const outer = frame.conditions;
    this.behind(condition);
    inside();
    frame.conditions = outer;
  }

  /** What follows is reached only because of this. */
  behind(condition: number): void {
    const frame = this.#now;
    if (!frame.conditions.includes(condition)) frame.conditions = [...frame.conditions, condition];
  }

  /** What follows is reached only because this did not lead away from here. */
  behindExit(condition: number): void {
    this.#now.exits.push(condition);
    this.behind(condition);
  }

  /** All that has decided in this function that this is reached; what decided that there is one at all does not decide what it gives. */
  decisions(): SourceSet {
    const { conditions, inherited } = this.#now;
    return union(...conditions.slice(inherited).map((id) => this.conditions[id]));
  }

  /**
   * Runs each branch from the same start, and goes on with what any of them may have left. Of one that never comes to its end, and says
   * so, what follows does not depend on how it was left.
   */
  branches(...branches: readonly (() => unknown)[]): void {
    const frame = this.#now;
    const start = frame.environment;
    const passed: number[] = [];
    const ends: Environment[] = [];
    const { phase } = frame;
    const phases = new Set<Phase>();
    for (const branch of branches) {
      frame.environment = new Map(start);
      frame.phase = phase;
      const exits = frame.exits.length;
      if (branch() !== true) passed.push(...frame.exits.slice(exits));
      ends.push(frame.environment);
      phases.add(frame.phase);
    }
    frame.phase = phases.size === 1 ? frame.phase : 'any';
    frame.environment = ends[0];
    for (const end of ends.slice(1)) this.#merge(end);
    for (const exit of passed) this.behind(exit);
  }

  /** Runs what a loop does until nothing new can come of it; behind the loop, its exits have been passed. */
  loop(round: () => number | null): void {
    const frame = this.#now;
    const outer = frame.conditions;
    const exits = frame.exits;
    frame.exits = [];
    let condition: number | null = null;
    for (let i = 0; i < 2; i++) {
      const start = new Map(frame.environment);
      const { phase } = frame;
      condition = round();
      this.#merge(start);
      // Of the first round nobody knows behind it whether there was one.
      if (frame.phase !== phase) frame.phase = 'any';
    }
    frame.conditions = outer;
    if (condition !== null) this.behind(condition);
    for (const exit of frame.exits) this.behind(exit);
    frame.exits = [...exits, ...frame.exits];
  }

  #merge(other: Environment): void {
    const { environment } = this.#now;
    for (const [binding, value] of other)
      environment.set(binding, union(environment.get(binding) ?? NO_SOURCES, value));
  }
}

/** So many of them are followed; whoever makes more is a library to all. */
const MOST_MADE = 16;
