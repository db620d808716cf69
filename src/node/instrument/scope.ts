/*
 * Scopes and what is declared in them, as scopes.ts finds them.
 */

import type { Node } from './ast.ts';

export type BindingKind =
  | 'var'
  | 'let'
  | 'const'
  | 'param'
  | 'catch'
  | 'function'
  | 'class'
  | 'import'
  | 'namespace'
  | 'enum';

export interface Binding {
  name: string;
  kind: BindingKind;
  scope: Scope;
  /** Where it is declared first, if that is a place of its own. */
  offset: number | undefined;
  /** Assignments other than by the declaration. */
  assignments: number;
  initialisations: number;
  /** Some function other than the declaring one refers to it. */
  captured: boolean;
  /** For a constant that is a property of a variable (`const { load } = Atomics`): the two. */
  taken?: { from: Node; key: string };
  /** Whether it holds an object that never leaves the function: see local-objects.ts. */
  isLocalObject?: boolean;
  /** Place among the tracked bindings of its scope, or -1. */
  index: number;
  /** For an import of what another module changes: the variable that holds the token of the scope in which that is. */
  token?: string;
  /** For a namespace: those of its members that the other module changes. */
  members?: Map<string, Pick<Binding, 'index' | 'token'>>;
}

/** 'head' is the scope of a loop head, a catch parameter, a switch or a name of a function: nothing to put a probe into. */
export type ScopeKind = 'module' | 'function' | 'block' | 'head';

export class Scope {
  readonly kind: ScopeKind;
  readonly parent: Scope | undefined;
  /** The scope of the innermost function, or of the module: where `var` goes. */
  readonly home: Scope;
  readonly bindings = new Map<string, Binding>();
  /** Code in a string (`eval`) or an object (`with`) may stand in front of these bindings. */
  dynamic = false;
  tracked: string[] = [];
  /** What a module exports by a name: the name of the variable. */
  readonly exported = new Map<string, string>();
  /** Name of the variable that holds the scope's token, once the rewriter has given it one. */
  token = '';

  constructor(kind: ScopeKind, parent: Scope | undefined) {
    this.kind = kind;
    this.parent = parent;
    this.home = kind === 'function' || kind === 'module' || parent === undefined ? this : parent.home;
  }

  declare(name: string, kind: BindingKind, offset?: number): Binding {
    const known = this.bindings.get(name);
    if (known !== undefined) return known;
    const binding: Binding = {
      name,
      kind,
      scope: this,
      offset,
      assignments: 0,
      initialisations: 0,
      captured: false,
      index: -1,
    };
    this.bindings.set(name, binding);
    return binding;
  }
}
