/*
 * What the instrumenter writes onto the nodes of the parser's syntax tree, beside what the parser says of them.
 */

import type { Binding, Scope } from './scope.ts';

interface NamedByPlace {
  /** What the place where a function, class or object is written calls it, or where a call's result goes. */
  givenName?: string;
}

interface Referring {
  /** What the identifier refers to, once scopes.ts has seen it; undefined for globals. */
  binding?: Binding;
}

interface AsFunction extends NamedByPlace {
  /** What it is called by what will call it: see handler-names.ts. */
  handlerName?: string;
  /** For a method: where its name begins. */
  keyStart?: number;
  isSetterOrConstructor?: boolean;
  /** Whether it goes on in functions that it gives to others (continuations.ts). */
  isContinuing?: boolean;
  /** Whoever calls it does not look at what it returns. */
  resultIgnored?: boolean;
}

declare module '@oxc-project/types' {
  interface Span {
    /** The scope that a function, block, … opens. */
    scope?: Scope;
    /** Whether this is a function in which the one that gives it away goes on (continuations.ts). */
    isContinuation?: boolean;
    /** Whether this is the old value of a variable, from which an assignment computes the new one. */
    isOperand?: boolean;
    /** Whether its value is only told to somebody: see read-uses.ts. */
    isMention?: boolean;
  }
  interface IdentifierName extends Referring {}
  interface IdentifierReference extends Referring {}
  interface BindingIdentifier extends Referring {}
  interface LabelIdentifier extends Referring {}
  interface TSThisParameter extends Referring {}
  interface TSIndexSignatureName extends Referring {}
  interface Function extends AsFunction {}
  interface ArrowFunctionExpression extends AsFunction {}
  interface Class extends NamedByPlace {}
  interface ObjectExpression extends NamedByPlace {}
  interface CallExpression extends NamedByPlace {}
  interface ForOfStatement {
    /** The outermost label of the loop. */
    labelled?: LabeledStatement;
  }
}
