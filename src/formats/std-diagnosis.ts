import { MNEMONICS } from '../trace/operation.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { excerpt } from './text-position.ts';

const SHAPE = 'thread|operation(operand)|location';
const OPERATIONS = `one of ${MNEMONICS.join(', ')}`;
const PIPE = 0x7c;
const OPEN = 0x28;

/** Says what is wrong with a line that the STD decoder could not read, and in which column. */
export function diagnoseStdLine(bytes: Uint8Array, start: number, end: number, line: number): InputProblem {
  const stop = end > start && bytes[end - 1] === 0x0d ? end - 1 : end;
  const at = (offset: number, summary: string, found: string, expected: string) =>
    new InputProblem(summary, { position: { line, column: offset - start + 1 }, found, expected });
  const show = (from: number, to: number) => quoted(excerpt(bytes, from, to), 60);

  const nul = indexOf(bytes, 0, start, stop);
  if (nul >= 0) return at(nul, 'a text trace holds no NUL bytes', 'a NUL byte', `a line of text, ${SHAPE}`);
  const pipe = indexOf(bytes, PIPE, start, stop);
  if (pipe < 0) return at(start, 'this line is not an event', show(start, stop), SHAPE);
  if (pipe === start) return at(start, 'the thread name is missing', "'|'", SHAPE);
  let wordEnd = pipe + 1;
  while (wordEnd < stop && bytes[wordEnd] !== OPEN && bytes[wordEnd] !== PIPE) wordEnd++;
  const word = excerpt(bytes, pipe + 1, wordEnd);
  if (!MNEMONICS.some((known) => known === word)) {
    const found = word === '' ? 'nothing' : quoted(word, 60);
    return at(pipe + 1, 'unknown operation', found, OPERATIONS);
  }
  if (bytes[wordEnd] !== OPEN || wordEnd === stop) {
    return at(wordEnd, `${word} lacks its operand`, show(start, stop), `${word}(operand)`);
  }
  if (bytes[wordEnd + 1] === 0x29) {
    return at(wordEnd + 1, `the operand of ${word} is empty`, `${word}()`, `${word}(operand)`);
  }
  return at(
    stop,
    `the operand of ${word} does not end`,
    show(start, stop),
    `')' and then '|' or the end of the line`,
  );
}

function indexOf(bytes: Uint8Array, byte: number, start: number, end: number): number {
  const i = bytes.indexOf(byte, start);
  return i >= 0 && i < end ? i : -1;
}
