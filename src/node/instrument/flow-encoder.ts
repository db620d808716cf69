/*
 * What the dependence analysis has found, in the numbers of the facts of a file (site-facts.ts).
 */

import {
  CalledBy,
  type CallFacts,
  type FlowFacts,
  type FunctionFacts,
  type LinkFacts,
  type SymbolFacts,
  SymbolKind,
} from '../../trace/site-facts.ts';
import type { Node } from './ast.ts';
import type { FunctionFlow } from './callees.ts';
import type { Dependence } from './dependence.ts';
import type { CallFlow } from './flow-state.ts';
import type { Link } from './links.ts';
import type { Phase } from './source-marks.ts';
import { OUTSIDE, type SourceSet } from './source-sets.ts';

const CALLED_BY = {
  anybody: CalledBy.anybody,
  'this-file': CalledBy.thisFile,
  importers: CalledBy.importers,
  name: CalledBy.name,
} as const;

type FewerFacts = readonly [number, number[], number, number[][], number[], number];

const PHASES: Readonly<Record<Phase, 0 | 1 | 2>> = { any: 0, first: 1, later: 2 };

export class FlowEncoder {
  readonly #dependence: Dependence;
  readonly #sitesOf = new Map<Node, number[]>();
  readonly #symbols: SymbolFacts[] = [];
  readonly #symbolIds = new Map<string, number>();
  readonly #conditions: number[][] = [];
  readonly #conditionNumbers = new Map<number, number>();
  readonly #links: LinkFacts[] = [];
  readonly #linkIds = new Map<string, number>();
  /** Numbers that stand for parameters, and for what comes back from calls. */
  readonly #meanings = new Map<number, SymbolFacts>();
  readonly #calls: readonly (readonly [Node, CallFlow])[];
  readonly #known = new Map<SourceSet, number[]>();

  constructor(nodes: readonly (Node | undefined)[], dependence: Dependence) {
    this.#dependence = dependence;
    for (const [site, node] of nodes.entries()) {
      if (node === undefined) continue;
      const known = this.#sitesOf.get(node);
      if (known === undefined) this.#sitesOf.set(node, [site]);
      else known.push(site);
    }
    for (const flow of dependence.callees.flows)
      for (const [source, index] of flow.parameters())
        this.#meanings.set(source, [SymbolKind.parameter, flow.index, index]);
    this.#calls = [...dependence.state.calls].filter(
      ([, { targets, link }]) => targets.length > 0 || link !== null,
    );
    for (const [index, [, { result, throws }]] of this.#calls.entries()) {
      this.#meanings.set(result, [SymbolKind.result, index]);
      this.#meanings.set(throws, [SymbolKind.thrown, index]);
    }
  }

  sources(set: SourceSet): number[] {
    const known = this.#known.get(set);
    if (known !== undefined) return known;
    const found = new Set<number>();
    for (const source of set) for (const number of this.#source(source)) found.add(number);
    const sources = [...found].sort((a, b) => a - b);
    this.#known.set(set, sources);
    return sources;
  }

  conditionsOf(conditions: Iterable<number>): number[] {
    const numbers: number[] = [];
    for (const condition of conditions) {
      const number = this.#condition(condition);
      if (number >= 0) numbers.push(number);
    }
    return numbers.sort((a, b) => a - b);
  }

  /** What else there is to say of the file, once the acts have been told. */
  facts(): FlowFacts {
    const { callees, state } = this.#dependence;
    const calls = this.#calls.map(([node, call]) => this.#call(node, call));
    const flows = [...callees.flows].map((flow) => this.#function(flow));
    // What is looked at together is worth knowing, though nothing is done by it.
    for (const [condition, sources] of state.conditions.entries())
      if (
        !state.throwing.has(condition) &&
        !this.#conditionNumbers.has(condition) &&
        this.sources(sources).length > 1
      )
        this.#condition(condition);
    const told = (conditions: ReadonlySet<number>) =>
      this.conditionsOf([...conditions].filter((id) => this.#conditionNumbers.has(id)));
    const { exports, handedOn, escaping, mentioned } = callees.links;
    return {
      conditions: this.#conditions,
      throwing: told(state.throwing),
      settling: told(state.settled),
      symbols: this.#symbols,
      flows,
      calls,
      exports: [...exports].map(([name, fn]) => [name, callees.flowOf(fn).index]),
      methods: [...callees.methods].flatMap(([name, all]) =>
        all.map((fn): [string, number] => [name, callees.flowOf(fn).index]),
      ),
      handedOn: handedOn.map(({ exported, link }) => [exported, this.#link(link)]),
      escaping: [...new Set(escaping.map((link) => this.#link(link)))],
      mentioned: [...mentioned],
      links: this.#links,
    };
  }

  #condition(condition: number): number {
    let number = this.#conditionNumbers.get(condition);
    if (number === undefined) {
      const sources = this.sources(this.#dependence.state.conditions[condition]);
      // A condition that looks at nothing that anybody could change decides nothing that matters.
      number = sources.length === 0 ? -1 : this.#conditions.push(sources) - 1;
      this.#conditionNumbers.set(condition, number);
    }
    return number;
  }

  #source(source: number): number[] {
    if (source === OUTSIDE) return [this.#symbol([SymbolKind.outside])];
    const meaning = this.#meanings.get(source);
    if (meaning !== undefined) return [this.#symbol(meaning)];
    const { state } = this.#dependence;
    const marked = state.marks.of(source);
    if (marked !== undefined)
      return this.#source(marked.source).map((of) =>
        this.#symbol(
          marked.through !== null
            ? [SymbolKind.perhaps, of]
            : [marked.phase === 'first' ? SymbolKind.first : SymbolKind.later, of],
        ),
      );
    const node = state.sources[source];
    return node ? (this.#sitesOf.get(node) ?? []) : [];
  }

  #symbol(symbol: SymbolFacts): number {
    const key = symbol.join(' ');
    let id = this.#symbolIds.get(key);
    if (id === undefined) {
      id = -this.#symbols.push(symbol);
      this.#symbolIds.set(key, id);
    }
    return id;
  }

  #call(node: Node, { by, targets, link, given, conditions, phase }: CallFlow): CallFacts {
    const choosing = this.conditionsOf(this.#dependence.state.choosing.get(node) ?? []);
    const call: CallFacts = [
      by.index,
      targets.map(({ index }) => index),
      link === null ? -1 : this.#link(link),
      given.map((value) => this.sources(value)),
      this.conditionsOf(conditions),
      PHASES[phase],
    ];
    return choosing.length > 0 ? [...(call as FewerFacts), choosing] : call;
  }

  #function(flow: FunctionFlow): FunctionFacts {
    return [
      flow.around?.index ?? -1,
      CALLED_BY[flow.calledBy],
      this.sources(flow.returns),
      this.sources(flow.throws),
      this.sources(flow.handed),
    ];
  }

  #link({ from, name }: Link): number {
    const key = `${from ?? ''} ${name}`;
    let id = this.#linkIds.get(key);
    if (id === undefined) {
      id = this.#links.push([from ?? '', name]) - 1;
      this.#linkIds.set(key, id);
    }
    return id;
  }
}
