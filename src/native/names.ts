import { DataNames } from './data-names.ts';
import { OF_SYSTEM, type SourcePlace, Symbolizer } from './symbolizer.ts';

/*
 * The runtime writes addresses where only debugging information knows better, and says in unused location names what they are
 * addresses of: `module 0 /path/of/program`, `site 3 16 0+11f3 0+12aa` (where memory was allocated, how much the first time, and
 * who called that), `data 2 0+4060 24 _ZL4bank bank` (a global variable, its size, its names for linkers and for people).
 */
const MODULE = /^module (\d+) (.*)$/s;
/** A function that was taken for a block in its first calls, and that shares nothing: it is none. */
const GUESSED = /^guessed (.*)$/s;
const DATA = /^data (\d+) (\d+)\+([0-9a-f]+) (\d+) (\S+) (.*)$/s;
const SITE = /^site (\d+) (\d+)((?: (?:\d+|\?)\+[0-9a-f]+)+)$/;
/** What a call of a container does: puts something in unless it is there, or over it, takes it out, or asks. */
const CALL = /^(fills|counts|assigns|erases|finds) (\d+\+[0-9a-f]+)$/;
/** With a mark where it is a compare-and-swap that was made (`!`), or an update after a look (`?`). */
const ADDRESS = /^(\d+)\+([0-9a-f]+)[!?]?$/;
/** As they stand in names, and in texts made of them. */
const IN_TEXT =
  /heap:(\d+)#(\d+)\+(\d+)|data:(\d+)\+(\d+)|(?<![\w.+/:])(\d+)\+([0-9a-f]+)(?:[!?]|(?![\w+]))/g;

/** Turns what the runtime wrote into what people can read. */
export class NativeNames {
  /** Labels of what is no block, after all. */
  readonly guessed = new Set<string>();
  /** By place: what is done with a container of the standard library there. */
  readonly calls = new Map<string, string>();
  readonly #modules = new Map<string, string>();
  readonly #sites = new Map<string, { size: number; calls: string[] }>();
  readonly #data = new DataNames();
  readonly #places = new Map<string, SourcePlace | null>();
  /** By place: the blocks of memory that were allocated there, whoever called it, in the order in which they are asked for. */
  readonly #blocks = new Map<string, Map<string, number>>();

  /** Looks up all addresses that the names of a trace mention, at once. */
  constructor(locations: Iterable<string>) {
    const wanted = new Set<string>();
    for (const text of locations) {
      const [, index, path] = MODULE.exec(text) ?? [];
      if (path !== undefined) this.#modules.set(index, path);
      const [, guessed] = GUESSED.exec(text) ?? [];
      if (guessed !== undefined) this.guessed.add(guessed);
      const [, what, call] = CALL.exec(text) ?? [];
      if (call !== undefined) this.calls.set(call, what);
      const [, number, module, address, size, symbol, name] = DATA.exec(text) ?? [];
      if (name !== undefined) this.#data.add(number, { module, address, size: Number(size), symbol, name });
      const [, site, allocated, addresses] = SITE.exec(text) ?? [];
      if (addresses !== undefined) {
        const calls = addresses.trim().split(' ');
        this.#sites.set(site, { size: Number(allocated), calls });
        for (const call of calls) wanted.add(call);
      }
      if (ADDRESS.test(text)) wanted.add(text.replace(/[!?]$/, ''));
    }
    this.#data.modules = this.#modules;
    this.#find(wanted);
  }

  /** Whether the name is none of a place, and tells us something. */
  static isTold(text: string): boolean {
    return [MODULE, GUESSED, CALL, DATA, SITE].some((told) => told.test(text));
  }

  /** Any text with such names in it. */
  readable(text: string): string {
    return text.replace(IN_TEXT, (whole, site, number, offset, data, byte, module, address) => {
      if (site !== undefined) return this.#heap(site, number, Number(offset));
      if (data !== undefined) return this.#data.global(data, Number(byte)) ?? whole;
      return this.#place(`${module}+${address}`, whole);
    });
  }

  #heap(site: string, number: string, offset: number): string {
    const { calls, size } = this.#sites.get(site) ?? { calls: [], size: 0 };
    const places = calls.map((call) => this.#places.get(call) ?? null).filter((place) => place !== null);
    const own = places.find(({ file }) => !OF_SYSTEM.test(file)) ?? places[0];
    const where = own === undefined ? (calls[0] ?? `site ${site}`) : `${own.file}:${own.line}`;
    const blocks = this.#blocks.get(where) ?? new Map<string, number>();
    this.#blocks.set(where, blocks);
    const key = `${site}#${number}`;
    const block = blocks.get(key) ?? blocks.size + 1;
    blocks.set(key, block);
    const { type, path } = this.#data.allocated(own ?? null, size, offset);
    return `${type}[${where}]#${block}${path}`;
  }

  #place(address: string, otherwise: string): string {
    const place = this.#places.get(address);
    if (place != null) return `${place.file}:${place.line}`;
    const [, module, offset] = ADDRESS.exec(address) as RegExpExecArray;
    const path = this.#modules.get(module);
    return path === undefined ? otherwise : `${path.replace(/^.*\//, '')}+0x${offset}`;
  }

  #find(wanted: ReadonlySet<string>): void {
    const byModule = new Map<string, bigint[]>();
    for (const address of wanted) {
      this.#places.set(address, null);
      const [, module, offset] = ADDRESS.exec(address) ?? [];
      if (offset === undefined) continue;
      const of = byModule.get(module);
      if (of === undefined) byModule.set(module, [BigInt(`0x${offset}`)]);
      else of.push(BigInt(`0x${offset}`));
    }
    const symbolizer = new Symbolizer();
    for (const [module, addresses] of byModule) {
      const path = this.#modules.get(module);
      if (path === undefined) continue;
      for (const [address, place] of symbolizer.places(path, addresses))
        this.#places.set(`${module}+${address.toString(16)}`, place);
    }
  }
}
