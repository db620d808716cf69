/**
 * The object that was last touched at each site, and in which epoch: a loop that goes on in one task touches the same
 * ones again and again.
 */
export class SiteCache {
  object: unknown[] = [];
  /** The property, where a site may have another one each time; for elements of an array, the record of that. */
  key: unknown[] = [];
  epoch: number[] = [];

  reserve(sites: number): void {
    while (this.object.length < sites) {
      this.object.push(undefined);
      this.key.push(undefined);
      this.epoch.push(0);
    }
  }

  /** Lets go of the objects. */
  clear(): void {
    this.object.fill(undefined);
    this.key.fill(undefined);
  }
}
