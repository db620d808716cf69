/*
 * Which reads may flow into what is written or passed on, and which decide whether that happens at all.
 *
 * The functions of a file are interpreted with sets of sources in the place of values: forwards, by scopes and the
 * syntax tree, so that a variable that was given a new value has forgotten the old one. Conditions are kept apart: what
 * stands in a branch, behind an early return or behind a loop depends on its test. Calls of functions of the same file
 * are followed through their parameters and results, whoever calls them; of calls into other files it is noted what they
 * are given, and the judgement puts the files together. Other calls pass on all that they are given.
 */

import type { Node, Program } from './ast.ts';
import { Callees } from './callees.ts';
import { FlowState } from './flow-state.ts';
import { StatementFlow } from './statement-flow.ts';
import { ValueFlow } from './value-flow.ts';

/** Functions call each other: so often all are looked at, each time with what is known of the others. */
const PASSES = 3;

export class Dependence {
  readonly state = new FlowState();
  readonly callees: Callees;
  /** What is written at some places is an old object with new properties, none of which is made of what it was. */
  readonly merges: ReadonlySet<Node>;

  constructor(program: Program) {
    this.callees = new Callees(program, this.state.newSource);
    const values = new ValueFlow(this.state, this.callees, (nodes) => statements.all(nodes));
    const statements = new StatementFlow(this.state, values);
    this.merges = values.merges;
    for (let pass = 0; pass < PASSES; pass++) {
      this.state.restart(this.callees.module);
      statements.all(program.body);
    }
  }

  get acts(): FlowState['acts'] {
    return this.state.acts;
  }
}
