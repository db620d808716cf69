/** Where instrumented code and the markers find the runtime in `globalThis`. */
export const RUNTIME = Symbol.for('trackside.runtime');
