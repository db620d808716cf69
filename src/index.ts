/**
 * What programs and configuration files import from `trackside`. It is small on purpose: a program that marks its blocks does
 * not load the checker, which is `trackside/library`.
 *
 * @module trackside
 */
export { defineConfig, type TracksideConfig } from './node/config.ts';
export { atomic, lock, read, write } from './node/markers.ts';
