export { getStock, setStock } from './stock.mjs';
