import { type FunctionNode, isFunction, isGlobal, type Node, type NodeOf, staticKey, unwrap } from './ast.ts';
import type { Callees, FunctionFlow } from './callees.ts';
import type { FlowState } from './flow-state.ts';
import { nameOf, rootOf } from './member-paths.ts';
import type { Binding } from './scope.ts';
import { NO_SOURCES, OUTSIDE_ONLY, type SourceSet, union } from './source-sets.ts';

/** Global functions and objects whose results are made of their arguments and nothing else. */
const PURE = new Set([
  ...['Array', 'BigInt', 'Boolean', 'Date', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Reflect', 'Set'],
  ...[
    'String',
    'Symbol',
    'isFinite',
    'isNaN',
    'parseFloat',
    'parseInt',
    'structuredClone',
    'Promise',
    'console',
  ],
]);

/** Names of methods that most objects have which are no program's own; those throw by no decision of the program. */
const BUILT_IN = new Set(
  [Object, Array, Function, Map, Promise, RegExp, Set, String, Uint8Array].flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype),
  ),
);

/** Methods of arrays and promises that call what they are given, with what is theirs, and give it to nobody else. */
const CALLING_BACK = new Set([
  ...[
    'every',
    'filter',
    'find',
    'findIndex',
    'findLast',
    'flatMap',
    'forEach',
    'map',
    'reduce',
    'some',
    'sort',
  ],
  ...['toSorted', 'then', 'catch', 'finally'],
]);

/** Functions that write what they are given to the file that their first argument names: who renames that brings it along. */
const WRITING = new Set(['writeFile', 'writeFileSync', 'appendFile', 'appendFileSync']);

/** What calls need to know of the values that they are given. */
interface Values {
  evaluate(node: Node): SourceSet;
  noteMerge(target: Node, written: Node): void;
}

/** Interprets calls for `Dependence`: what they pass on, and what comes back. */
export class CallFlow {
  readonly #state: FlowState;
  readonly #callees: Callees;
  readonly #values: Values;
  /** The functions by which promises are settled, with the one that is given them. */
  readonly #resolvers = new Map<Binding, FunctionFlow>();

  constructor(state: FlowState, callees: Callees, values: Values) {
    this.#state = state;
    this.#callees = callees;
    this.#values = values;
  }

  /** A function that settles a promise is named without being called: anybody may call it. */
  noteMention(binding: Binding): void {
    const resolver = this.#resolvers.get(binding);
    if (resolver !== undefined) resolver.settled = union(resolver.settled, OUTSIDE_ONLY);
  }

  call(node: NodeOf<'CallExpression' | 'NewExpression'>): SourceSet {
    const state = this.#state;
    const args: readonly Node[] = node.arguments;
    const callee = unwrap(node.callee);
    const isMethod = callee.type === 'MemberExpression';
    const object = isMethod ? this.#values.evaluate(callee.object) : NO_SOURCES;
    if (isMethod && callee.computed) this.#values.evaluate(callee.property);
    const resolver =
      callee.type === 'Identifier' && callee.binding ? this.#resolvers.get(callee.binding) : undefined;
    if (!isMethod && resolver === undefined) this.#values.evaluate(callee);
    const inline = args.map(unwrap).filter(isFunction);
    const isPromise = node.type === 'NewExpression' && isGlobal(callee, 'Promise');
    if (isPromise && inline.length > 0) this.#noteResolvers(inline[0]);
    const given = args.map((argument) =>
      isFunction(unwrap(argument)) ? NO_SOURCES : this.#values.evaluate(argument),
    );
    if (resolver !== undefined) resolver.settled = union(resolver.settled, ...given);
    const all = union(object, ...given);
    const flows = inline.map((fn) => this.#callees.flowOf(fn));
    const link = resolver === undefined ? this.#callees.links.of(callee) : null;
    const targets = link?.from ? [] : this.#callees.of(callee);
    const isKnownCaller =
      isPromise || (isMethod && targets.length === 0 && CALLING_BACK.has(staticKey(callee) ?? ''));
    const handed = isMethod ? union(all, state.source(callee)) : all;
    for (const flow of flows) {
      if (!isPromise) flow.handed = union(flow.handed, handed);
      if (isKnownCaller) flow.calledBy = 'this-file';
    }
    for (const fn of inline) this.#values.evaluate(fn);
    const answers = flows.map((flow) => (isPromise ? flow.settled : flow.returns));
    const root = rootOf(callee);
    const isPure = root.type === 'Identifier' && root.binding === undefined && PURE.has(root.name);
    const isOwn = isMethod && unwrap(callee.object).type === 'ThisExpression' && targets.length > 0;
    const isFollowed = node.type === 'CallExpression' && !isPure;
    const call = isFollowed
      ? state.call(node, { targets, link: isOwn ? null : link, given: spreadOut(args, given) })
      : null;
    for (const target of targets) {
      if (target !== state.flow) target.calls.add(node);
      answers.push(target.answer(given, state.readNow));
      if (target !== state.flow) this.#notePuts(target, args, given);
    }
    if (WRITING.has(nameOf(callee)) && given.length > 1) state.putInto(unwrap(args[0]), given[1]);
    this.#mayThrow(
      node,
      union(
        ...targets.map((target) => target.substituted(target.throws, given, state.readNow)),
        call !== null && call.link !== null && !BUILT_IN.has(call.link.name)
          ? new Set([call.throws])
          : NO_SOURCES,
      ),
    );
    const held = isMethod ? state.putIn(callee.object, args.length === 0) : NO_SOURCES;
    if (isMethod) {
      state.act(callee, union(...given, ...answers));
      state.putInto(callee.object, union(...given));
      if (args.length > 1) this.#values.noteMerge(callee, args[args.length - 1]);
    }
    // `Object.assign(o, …)`, `Reflect.set(o, …)`: the probe of what is done to the object stands at the argument.
    const first = args.length > 0 ? unwrap(args[0]) : undefined;
    if (first?.type === 'Identifier' || first?.type === 'MemberExpression')
      state.act(first, union(...given.slice(1)));
    // A function of the file does what stands there; of all others nobody knows what else they look at.
    if (targets.length > 0 && !isMethod) {
      if (!targets.some((target) => target.mayBeAnswered)) return union(...answers);
      state.act(node, union(...given, ...answers));
      return union(...answers, state.source(node));
    }
    state.act(node, union(held, ...given, ...answers));
    // What is made of the arguments of an imported function, that says itself.
    if (call?.link?.from) return union(...answers, new Set([call.result]), state.source(node));
    // What is done to an argument, such as going through it, has its probe there.
    const looks = args.map((argument) =>
      state.source(argument.type === 'SpreadElement' ? argument.argument : argument),
    );
    // What the call itself gives back comes first, as the last are left out where there are too many.
    const made = union(...answers, isMethod ? state.source(callee) : NO_SOURCES, ...looks, all);
    if (isPure) return made;
    if (isOwn) return union(state.source(node), made);
    return union(call?.link ? new Set([call.result]) : OUTSIDE_ONLY, state.source(node), made);
  }

  /** What a function of the file puts into the objects that it is given, they have in them. */
  #notePuts(target: FunctionFlow, args: readonly Node[], given: readonly SourceSet[]): void {
    const state = this.#state;
    for (const [i, puts] of target.puts.entries()) {
      if (puts === undefined || i >= args.length || args[i].type === 'SpreadElement') continue;
      for (const [path, value] of puts)
        state.putInto(unwrap(args[i]), target.substituted(value, given, state.readNow), path);
    }
  }

  /** A look at a property: what comes of the getters of this name. */
  look(node: NodeOf<'MemberExpression'>): SourceSet {
    const state = this.#state;
    const targets = this.#callees.gettersOf(staticKey(node));
    if (targets.length === 0) return NO_SOURCES;
    state.call(node, { targets, link: null, given: [] });
    for (const target of targets) if (target !== state.flow) target.calls.add(node);
    return union(...targets.map((target) => target.answer([], state.readNow)));
  }

  /** Whoever comes past a call that may have thrown was let through by what that has looked at. */
  #mayThrow(call: Node, decidedBy: SourceSet): void {
    if (decidedBy.size === 0) return;
    this.#state.flow.throws = union(this.#state.flow.throws, decidedBy);
    const condition = this.#state.condition(call, decidedBy);
    this.#state.throwing.add(condition);
    this.#state.behind(condition);
  }

  /** What is given to `resolve` is what the promise comes to; if it is kept, anybody may settle it. */
  #noteResolvers(executor: FunctionNode): void {
    const flow = this.#callees.flowOf(executor);
    for (const param of executor.params) {
      const target = unwrap(param);
      if (target.type === 'Identifier' && target.binding !== undefined)
        this.#resolvers.set(target.binding, flow);
    }
  }
}

/** What each parameter is given; behind `...rest`, anything of what is left. */
function spreadOut(args: readonly Node[], given: readonly SourceSet[]): readonly SourceSet[] {
  const spread = args.findIndex(({ type }) => type === 'SpreadElement');
  if (spread < 0) return given;
  const rest = union(...given.slice(spread));
  return [...given.slice(0, spread), rest, rest, rest, rest];
}
