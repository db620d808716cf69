import { callerPlace } from '../caller-place.ts';
import type { Sites } from '../sites.ts';

/** A call of a function that is patched. */
export interface CallSite {
  site: number;
  /** Whether somebody uses what it returns. */
  isUsed: boolean;
}

/** Tells patched functions where they are called: instrumented code says so right before, of other code the stack does. */
export class CallSites {
  readonly #sites: Sites;
  readonly #displayPath: (absolute: string) => string;
  #site = 0;
  #isUsed = true;

  constructor(sites: Sites, displayPath: (absolute: string) => string) {
    this.#sites = sites;
    this.#displayPath = displayPath;
  }

  /** The next call is this one. */
  announce(site: number, isUsed: boolean): void {
    this.#site = site;
    this.#isUsed = isUsed;
  }

  /** Forgets what was announced, and says it. */
  take(): CallSite | null {
    if (this.#site === 0) return null;
    const site = this.#site;
    this.#site = 0;
    return { site, isUsed: this.#isUsed };
  }

  /** Where the code is that has called; null for Node's own, which has memory of its own to share. */
  find(): CallSite | null {
    const place = callerPlace((file) => this.#sites.hasFile(this.#displayPath(file)), true);
    if (place === null) return null;
    return { site: this.#sites.find(this.#displayPath(place.path), place.line, 0), isUsed: true };
  }
}
