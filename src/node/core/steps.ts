import type { History } from './history.ts';

/**
 * What an access of one kind makes of histories, by its place: the last one that was looked up. Most objects that come to a place have come
 * the same way, and so have the same history there; after a while an access adds nothing to it.
 */
export class Steps {
  readonly from: (History | null)[] = [];
  readonly to: (History | null)[] = [];
  /** The key, where a place may have another one each time. */
  readonly key: unknown[] = [];

  reserve(sites: number): void {
    while (this.from.length < sites) {
      this.from.push(null);
      this.to.push(null);
      this.key.push(undefined);
    }
  }

  note(site: number, from: History, to: History, key?: unknown): void {
    // A module that has not begun has no numbers for its sites.
    if (!(site < this.from.length)) return;
    this.from[site] = from;
    this.to[site] = to;
    this.key[site] = key;
  }
}
