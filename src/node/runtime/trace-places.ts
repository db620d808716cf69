import type { FactRecord } from '../../trace/facts.ts';
import { grownInt32 } from '../../trace/growable.ts';
import { NO_LOCATION, namedLocation } from '../../trace/location.ts';
import type { RunningNames } from './live-names.ts';
import type { Sites } from './sites.ts';

/** The label of a function without a name. */
export const ANONYMOUS = 'anonymous';

/** What sites are in the trace: locations of events, and labels of blocks. */
export class TracePlaces {
  readonly #sites: Sites;
  readonly #names: RunningNames;
  readonly #noteFact: (fact: FactRecord) => void;
  /** Per site: its location and its label in the trace, plus one. */
  #locations = new Int32Array(64);
  #labels = new Int32Array(64);

  /** `noteFact` is told what is known of the sites of a file when the first of them is asked for. */
  constructor(sites: Sites, names: RunningNames, noteFact: (fact: FactRecord) => void) {
    this.#sites = sites;
    this.#names = names;
    this.#noteFact = noteFact;
  }

  /** Makes room for the sites that there are by now. */
  reserve(): void {
    this.#locations = grownInt32(this.#locations, this.#sites.count);
    this.#labels = grownInt32(this.#labels, this.#sites.count);
  }

  location(site: number): number {
    if (site === 0) return NO_LOCATION;
    if (this.#locations[site] === 0) {
      const text = this.#sites.location(site);
      for (const fact of this.#sites.takeFacts(site)) this.#noteFact(fact);
      this.#locations[site] =
        text === null ? NO_LOCATION : namedLocation(this.#names.locations.internText(text));
    }
    return this.#locations[site];
  }

  label(site: number): number {
    if (this.#labels[site] === 0)
      this.#labels[site] = this.#names.labels.internText(this.#sites.text(site) || ANONYMOUS) + 1;
    return this.#labels[site] - 1;
  }
}
