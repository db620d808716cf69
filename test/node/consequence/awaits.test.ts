import { describe, expect, it } from 'vitest';
import { SourceText } from '../../../src/node/consequence/source-text.ts';
import { temporaryFolder } from '../../cli/run.ts';

const folder = temporaryFolder();
let files = 0;

/** The lines, from 1, of the awaits between the places that are marked 1 and 2. */
function awaits(source: string): number[] {
  const path = folder.write(`${++files}.mjs`, source);
  const place = (mark: string) => {
    const before = source.slice(0, source.indexOf(mark) + mark.length).split('\n');
    return `${path}:${before.length}:${(before.at(-1) as string).length + 1}`;
  };
  const found = new SourceText().awaitsBetween(place('/*1*/'), place('/*2*/'));
  return found.map((location) => Number(/:(\d+):\d+$/.exec(location)?.[1]));
}

describe('the awaits between two accesses', () => {
  it('are those that stand between them', () => {
    expect(
      awaits(`async function f() {
        await before();
        const old = /*1*/x.y;
        await between();
        /*2*/x.y = old + 1;
        await after();
      }`),
    ).toEqual([4]);
  });

  it('are those in what is computed for a write', () => {
    expect(awaits('async function f() {\n/*1*//*2*/x.y += await g();\n}')).toEqual([2]);
  });

  it('are those that wait for what is made of the value read', () => {
    expect(awaits('async function f() {\nawait g(/*1*/x.y);\n/*2*/x.y = 1;\n}')).toEqual([2]);
    expect(awaits('async function f() {\nuse(/*1*/x.y);\nawait g(/*2*/x.y);\n}')).toEqual([]);
  });

  it('are those of a loop before its start and behind its end, where it leads back', () => {
    expect(
      awaits(`async function f() {
        for (;;) {
          await one();
          /*2*/x.y = 1;
          use(/*1*/x.y);
          await two();
        }
      }`),
    ).toEqual([3, 6]);
  });

  it('are not those of functions inside, and not known across functions', () => {
    expect(
      awaits('async function f() {\nuse(/*1*/x.y);\ncall(async () => await g());\n/*2*/x.y = 1;\n}'),
    ).toEqual([]);
    expect(awaits('const f = () => /*1*/x.y;\nasync function g() { await f(); /*2*/x.y = 1; }')).toEqual([]);
  });
});
