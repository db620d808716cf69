import { describe, expect, test } from 'vitest';
import { becomes } from '../../support/instrumented-text.ts';

describe('whoever gives a function to one that calls it at once does not go on in it', () => {
  for (const source of [
    'function take(test) { while (test(x)) y(); } f = () => { take((c) => c); };',
    'const take = (text, test) => test(text); f = () => { take("", (c) => c); };',
    'class A { #take(test) { test(1); } f() { this.#take((c) => c); } }',
  ])
    test(source, () => {
      expect(becomes(source)).not.toContain('continuation(');
    });
});

describe('and goes on if it may be called later', () => {
  for (const [reason, source] of Object.entries({
    'it is handed on': 'function take(test) { later(test); } f = () => { take((c) => c); };',
    'it is kept': 'function take(test) { kept = test; test(1); } f = () => { take((c) => c); };',
    'a function refers to it':
      'function take(test) { setTimeout(() => test(1)); } f = () => { take((c) => c); };',
    'all arguments are handed on':
      'function take(test) { later(...arguments); test(1); } f = () => { take((c) => c); };',
    'the function is async': 'async function take(test) { await 1; test(1); } f = () => { take((c) => c); };',
    'the function may be another one':
      'let take = (test) => test(1); take = later; f = () => { take((c) => c); };',
    'it is not known which argument it is':
      'function take(test, list) { test(1); } f = () => { take(...x, (c) => c); };',
  }))
    test(reason, () => {
      expect(becomes(source)).toContain('continuation(');
    });
});
