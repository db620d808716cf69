/* All that needs a parser, in a bundle of its own: a thread loads it when there is something to parse. See `instrumenter-link.ts`. */

export { sourceOfFunction } from './function-text.ts';
export { repairMessage } from './messages.ts';
export { Transformer } from './transformer.ts';
