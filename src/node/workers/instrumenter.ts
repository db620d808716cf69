/*
 * What a worker loads when it comes to a source that no isolate has instrumented, or to a message that quotes a
 * probe, or the text of a function.
 */
export { sourceOfFunction } from '../loader/function-text.ts';
export { repairMessage } from '../loader/messages.ts';
export { Transformer } from '../loader/transformer.ts';
