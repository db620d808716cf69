/*
 * What the dependence analysis knows while it goes through a file: where the values of variables come from, and which
 * conditions have let it come this far.
 */

import { type Node, unwrap } from './ast.ts';
import type { FunctionFlow } from './callees.ts';
import type { Binding } from './scope.ts';
import { NO_SOURCES, type SourceSet, union } from './source-sets.ts';

/** What an access, or a call, depends on. */
export interface Act {
  /** The function that it stands in. */
  flow: FunctionFlow;
  /** Sources of what is written or passed. */
  data: SourceSet;
  /** Numbers of the conditions that decide whether it is reached, within its function. */
  conditions: ReadonlySet<number>;
}

type Environment = Map<Binding, SourceSet>;

/** What is put aside while a function inside of another one is looked at. */
interface Frame {
  flow: FunctionFlow;
  environment: Environment;
  conditions: readonly number[];
  exits: number[];
}

export class FlowState {
  /** By number; the first two are `OUTSIDE` and `CALLER`. Parameters and names of properties have numbers too, but no node. */
  readonly sources: (Node | null)[] = [null, null];
  /** What each condition looks at. */
  readonly conditions: SourceSet[] = [];
  readonly acts = new Map<Node, Act>();
  /** Which function a source or an act stands in. */
  readonly flowOf = new Map<Node, FunctionFlow>();

  readonly #sourceIds = new Map<Node, number>();
  readonly #propertyIds = new Map<string, number>();
  readonly #conditionIds = new Map<Node, number>();
  /** What a variable has ever been given, for functions that look at variables of others. */
  readonly #everywhere: Environment = new Map();
  readonly #fresh = new Set<Binding>();
  #frame: Frame | null = null;

  newSource = (): number => this.sources.push(null) - 1;

  /** Starts anew at the begin of the file, with all that has been found out. */
  restart(module: FunctionFlow): void {
    this.#frame = { flow: module, environment: new Map(), conditions: [], exits: [] };
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
    this.#frame = {
      flow,
      environment: new Map(),
      conditions: isHoisted ? [] : outer.conditions,
      exits: [],
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

  // ---- Variables -----------------------------------------------------------------------------------------------

  lookUp(binding: Binding): SourceSet {
    const here = this.#now.environment.get(binding);
    if (here !== undefined) return here;
    // What others put into a variable that changes is read in the trace.
    return binding.index < 0 ? (this.#everywhere.get(binding) ?? NO_SOURCES) : NO_SOURCES;
  }

  give(binding: Binding | undefined, value: SourceSet): void {
    if (binding === undefined) return;
    this.#now.environment.set(binding, value);
    if (binding.captured || binding.kind === 'param')
      this.#everywhere.set(binding, union(this.#everywhere.get(binding) ?? NO_SOURCES, value));
  }

  /** The function makes an object of its own, and keeps it in this variable. */
  noteFresh(binding: Binding | undefined): void {
    if (binding !== undefined) this.#fresh.add(binding);
  }

  /** Something is put into an object: if the function has made it, whoever has it has that too. Others are in the trace. */
  putInto(object: Node, value: SourceSet): void {
    const root = rootOf(object);
    if (root.type !== 'Identifier' || root.binding === undefined || value.size === 0) return;
    if (this.#fresh.has(root.binding) && root.binding.scope.home === this.flow.node.scope)
      this.give(root.binding, union(this.lookUp(root.binding), value));
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

  /** All that has decided that this is reached. */
  decisions(): SourceSet {
    return union(...this.reachedBy.map((id) => this.conditions[id]));
  }

  /** Runs each branch from the same start, and goes on with what any of them may have left. */
  branches(...branches: readonly (() => void)[]): void {
    const frame = this.#now;
    const start = frame.environment;
    const exits = frame.exits.length;
    const ends: Environment[] = [];
    for (const branch of branches) {
      frame.environment = new Map(start);
      branch();
      ends.push(frame.environment);
    }
    frame.environment = ends[0];
    for (const end of ends.slice(1)) this.#merge(end);
    for (const exit of frame.exits.slice(exits)) this.behind(exit);
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
      condition = round();
      this.#merge(start);
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

/** `a` of `a.b[c].d`. */
export function rootOf(node: Node): Node {
  let root = unwrap(node);
  while (root.type === 'MemberExpression') root = unwrap(root.object);
  return root;
}
