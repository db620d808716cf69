/** Gives what has been put in, the latest event first: a heap. */
export class LatestFirst<Item extends { readonly event: number }> {
  readonly #items: Item[] = [];

  push(item: Item): void {
    const items = this.#items;
    let at = items.length;
    for (let above = (at - 1) >> 1; at > 0 && items[above].event < item.event; above = (at - 1) >> 1) {
      items[at] = items[above];
      at = above;
    }
    items[at] = item;
  }

  pop(): Item | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let at = 0;
    for (let below = 1; below < items.length; below = 2 * at + 1) {
      if (below + 1 < items.length && items[below + 1].event > items[below].event) below++;
      if (items[below].event <= last.event) break;
      items[at] = items[below];
      at = below;
    }
    items[at] = last;
    return first;
  }
}
