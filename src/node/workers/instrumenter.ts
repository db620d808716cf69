/* What a worker loads when it comes to a source that no isolate has instrumented, or to a message that quotes a probe. */
export { repairMessage } from '../loader/messages.ts';
export { Transformer } from '../loader/transformer.ts';
