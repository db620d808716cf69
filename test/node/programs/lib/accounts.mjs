export * from './balance.mjs';
export { reports as told } from './balance.mjs';
