import { parseSync } from 'oxc-parser';
import { forEachChild, isFunction, type Node } from '../instrument/ast.ts';
import { type ReadUse, useBy } from '../instrument/read-uses.ts';
import { languageOf } from '../loader/module-kind.ts';
import { awaitsBetween } from './awaits.ts';
import { type Dependence, dependenceOf } from './dependence.ts';
import { addNames, forEachGiven, isPlain, mentions } from './given-names.ts';

/** The syntax tree of a file, asked about places in it. */
export class UseOfReads {
  readonly #program: Node;

  constructor(path: string, source: string) {
    const options = { lang: languageOf(path), sourceType: 'unambiguous' } as const;
    this.#program = parseSync(path, source, options).program;
  }

  /** What is done with what is read at this offset. */
  use(offset: number): ReadUse {
    const path = this.#pathTo(offset);
    // Nothing is read there, but by being woken the block has learned how it stands: see handover.ts.
    if (path.at(-1)?.type === 'AwaitExpression') return 'test';
    for (let i = path.length - 1; i > 0; i--) {
      const use = useBy(path[i - 1], path[i], path[i - 2]);
      if (use !== null) return use;
    }
    return 'value';
  }

  /** Whether what is written at one offset is computed of what a variable of the same function was given at the other. */
  isMadeOf(written: number, read: number): boolean {
    const path = this.#pathTo(written);
    const assignment = path.findLast((node) => node.type === 'AssignmentExpression');
    const body = path.findLast(isFunction) ?? this.#program;
    if (assignment === undefined || read < body.start || read >= body.end) return false;
    const names = new Set<string>();
    forEachGiven(body, (target, value) => {
      const isRead = value.start <= read && read < value.end && value.start < assignment.start;
      if ((isRead || (isPlain(value) && mentions(value, names))) && value !== assignment.right)
        addNames(target, names);
    });
    return mentions(assignment.right, names);
  }

  /** How what is done at one offset depends on what is read at the other, in the same function; null where they are not. */
  dependence(written: number, read: number): Dependence | null {
    return dependenceOf(this.#pathTo(written), read);
  }

  /** Where something is awaited between what is done at one offset and at the other. */
  awaitsBetween(first: number, last: number): number[] {
    return awaitsBetween(this.#pathTo(first), this.#pathTo(last));
  }

  /** The nodes around the offset, outermost first; the last ones begin there, if any do. */
  #pathTo(offset: number): Node[] {
    const path: Node[] = [];
    for (let node: Node | undefined = this.#program; node !== undefined; ) {
      path.push(node);
      let inner: Node | undefined;
      forEachChild(node, (child) => {
        if (child.start <= offset && offset < child.end) inner ??= child;
      });
      node = inner;
    }
    return path;
  }
}
