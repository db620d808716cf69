import type { Exports } from '../runtime/locks/models.ts';
import { MODELLED } from './models.ts';

/* What modules of packages of locks import, by the text that is added to them. */

type Modelled = (name: string, exports: Exports) => Exports;

export const modelled = (Reflect.get(globalThis, MODELLED) ?? (() => ({}))) as Modelled;
