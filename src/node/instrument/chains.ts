/*
 * Optional chains. `a?.b` is recorded before its `?.`. What follows a `?.` in the same chain is skipped with it, so to
 * put a probe around it the chain is cut in two: `a?.b.c` → `((t = read(a, 'b', s)) == null ? void 0 : read(t.b, 'c', s).c)`.
 */

import { TRACKED_METHODS } from '../builtins.ts';
import {
  type CallExpression,
  type ChainExpression,
  type MemberExpression,
  type Node,
  type NodeOf,
  staticKey,
} from './ast.ts';
import { methodArguments, methodName, methodProbe, takesArguments } from './methods.ts';
import { quote, wrapKey } from './references.ts';
import { type Rewriter, Use } from './rewriter.ts';

type Link = NodeOf<'MemberExpression' | 'CallExpression' | 'TSNonNullExpression'>;

interface ChainOptions {
  /** May the chain be cut? Not where its value is also a reference: `(a?.b)()`, `delete a?.b.c`. */
  cut: boolean;
  /** The last link is recorded by this probe, or not at all. */
  last: 'read' | 'deleted' | undefined;
}

export function chain(r: Rewriter, node: ChainExpression, use: Use): void {
  new ChainRewriter(r, node, { cut: true, last: 'read' }, use).rewrite();
}

export function chainAsReference(r: Rewriter, node: ChainExpression, last: 'deleted' | undefined): void {
  new ChainRewriter(r, node, { cut: false, last }, Use.passed).rewrite();
}

class ChainRewriter {
  private readonly r: Rewriter;
  private readonly node: ChainExpression;
  private readonly options: ChainOptions;
  private readonly use: Use;
  private readonly links: Link[] = [];
  private base: Node;
  /** Text to put before the segment that is being rewritten. */
  private prefix = '';
  private openSegment: (prefix: string) => void;
  private wasCut = false;
  /** An optional link was left as it is: nothing behind it can be recorded. */
  private skipping = false;
  /** For the call after a tracked method: its object. */
  private methodBase: string | undefined;

  constructor(r: Rewriter, node: ChainExpression, options: ChainOptions, use: Use) {
    this.r = r;
    this.node = node;
    this.options = options;
    this.use = use;
    let inner: Node = node.expression;
    while (isLink(inner)) {
      this.links.push(inner);
      inner = childInChain(inner);
    }
    this.links.reverse();
    this.base = inner;
    this.openSegment = (prefix) => {
      if (prefix !== '') r.edits.before(this.base.start, prefix);
    };
  }

  rewrite(): void {
    const { r, links } = this;
    if (this.base.type !== 'Super') r.visit(this.base, Use.passed);
    for (let i = 0; i < links.length; i++) {
      const link = links[i];
      if (link.type === 'MemberExpression') this.member(link, i);
      else if (link.type === 'CallExpression') this.call(link, i);
    }
    this.openSegment(this.prefix);
    if (this.wasCut) r.edits.wrap(this.node, '(', ')');
    const last = links.findLast((link) => link.type !== 'TSNonNullExpression');
    if (last?.type === 'CallExpression' && this.use !== Use.passed) {
      r.edits.wrap(this.node, `${r.probe('kept')}(`, ')');
    }
  }

  private member(link: MemberExpression, i: number): void {
    const { r } = this;
    const object = i === 0 ? this.base : this.links[i - 1];
    const probe = i === this.links.length - 1 ? this.options.last : 'read';
    const recorded = !this.skipping && probe !== undefined && this.isRecordedRead(link, i);
    const method = this.skipping ? undefined : this.trackedMethod(link, i);
    this.methodBase = undefined;
    if (link.optional && this.canCut(i)) {
      this.cutAt(link, object, recorded, method);
      return;
    }
    if (recorded) this.probeLink(link, i, object, probe as 'read' | 'deleted');
    else {
      if (method !== undefined) this.beforeMethod(link, i, object, method);
      if (link.computed) r.visit(link.property);
    }
    if (link.optional) this.skipping = true;
  }

  private probeLink(link: MemberExpression, i: number, object: Node, probe: 'read' | 'deleted'): void {
    const { r } = this;
    const name = staticKey(link);
    if (name !== undefined) {
      this.prefix = `${r.probe(probe)}(${this.prefix}`;
      r.edits.after(object.end, `,${quote(name)},${r.access(link)})`);
      return;
    }
    const base = this.repeatableObject(link, i, object);
    r.visit(link.property);
    if (base !== undefined) wrapKey(r, link, base, probe);
  }

  /** The object of a link as text to repeat, through a temporary if need be. */
  private repeatableObject(link: MemberExpression, i: number, object: Node): string | undefined {
    const { r } = this;
    const later = link.computed ? [link.property] : [];
    const repeatable = i === 0 ? r.repeatable(object, later) : undefined;
    if (repeatable !== undefined || !r.canDeclare) return repeatable;
    const temp = r.temp();
    this.prefix = `(${temp}=${this.prefix}`;
    r.edits.after(object.end, ')');
    return temp;
  }

  private beforeMethod(link: MemberExpression, i: number, object: Node, call: CallExpression): void {
    const { r } = this;
    if (takesArguments(call)) {
      this.methodBase = this.repeatableObject(link, i, object);
      return;
    }
    const [open, close] = methodProbe(r, link, this.isUsed(call));
    this.prefix = `${open}${this.prefix}`;
    r.edits.after(object.end, close);
  }

  /** `H?.p…` → `(t = H) == null ? void 0 : t.p…`. */
  private cutAt(
    link: MemberExpression,
    object: Node,
    recorded: boolean,
    method: CallExpression | undefined,
  ): void {
    const { r } = this;
    const temp = r.temp();
    const name = staticKey(link);
    const [open, close] =
      recorded && name !== undefined
        ? [`${r.probe('read')}(`, `,${quote(name)},${r.access(link)})`]
        : ['', ''];
    r.edits.after(object.end, `${close})`);
    this.openSegment(`(${temp}=${open}${this.prefix}`);
    this.prefix = '';
    let head = temp;
    if (method !== undefined && takesArguments(method)) this.methodBase = temp;
    else if (method !== undefined) head = methodProbe(r, link, this.isUsed(method)).join(temp);
    this.openSegment = (prefix) => r.edits.after(object.end, `==null?void 0:${prefix}${head}`);
    const at = r.edits.find('?.', object.end);
    r.edits.replace(at, at + 2, link.computed ? '' : '.');
    if (link.computed) {
      r.visit(link.property);
      if (recorded && name === undefined) wrapKey(r, link, temp, 'read');
    }
    this.wasCut = true;
  }

  private call(link: CallExpression, i: number): void {
    const { r } = this;
    if (this.methodBase !== undefined) {
      const callee = this.links
        .slice(0, i)
        .findLast((l) => l.type === 'MemberExpression') as MemberExpression;
      methodArguments(r, link, callee, this.methodBase, this.isUsed(link));
    } else r.visitAll(link.arguments);
    this.methodBase = undefined;
    if (link.optional) this.skipping = true;
  }

  private isUsed(call: CallExpression): boolean {
    return call !== this.links.at(-1) || this.use !== Use.unused;
  }

  private canCut(i: number): boolean {
    if (this.skipping || !this.options.cut || !this.r.canDeclare) return false;
    for (let j = i + 1; j < this.links.length; j++) {
      const link = this.links[j];
      if (link.type === 'CallExpression' && link.optional) return false;
      if (link.type !== 'MemberExpression') continue;
      if (this.isRecordedRead(link, j) || this.trackedMethod(link, j) !== undefined) return true;
    }
    return false;
  }

  private isRecordedRead(link: MemberExpression, i: number): boolean {
    return this.callAfter(i) === undefined && !this.r.isUntracked(link);
  }

  /** The call of the tracked method that a link names. */
  private trackedMethod(link: MemberExpression, i: number): CallExpression | undefined {
    const call = this.callAfter(i);
    if (call === undefined || this.r.isUntracked(link)) return undefined;
    return TRACKED_METHODS.has(methodName(link)) && !call.optional ? call : undefined;
  }

  private callAfter(i: number): CallExpression | undefined {
    let j = i + 1;
    while (this.links[j]?.type === 'TSNonNullExpression') j++;
    const link = this.links[j];
    return link?.type === 'CallExpression' ? link : undefined;
  }
}

function isLink(node: Node): node is Link {
  return (
    node.type === 'MemberExpression' || node.type === 'CallExpression' || node.type === 'TSNonNullExpression'
  );
}

function childInChain(link: Link): Node {
  if (link.type === 'MemberExpression') return link.object;
  return link.type === 'CallExpression' ? link.callee : link.expression;
}
