import type { Exports } from '../runtime/locks/models.ts';
import { MODELLED } from './models.ts';

/* What modules of packages that are known by their interface import, by the text that is added to them. */

interface Told {
  modelled(name: string, exports: Exports): Exports;
  noteStore(name: string): void;
}

const told = Reflect.get(globalThis, MODELLED) as Told | undefined;

export const modelled: Told['modelled'] = told?.modelled ?? (() => ({}));
export const noteStore: Told['noteStore'] = told?.noteStore ?? (() => {});
