import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PageResult } from '../../src/report/html-data.ts';
import { counted, grouped } from '../../src/report/layout.ts';
import type { Item } from '../report/items.ts';
import { setAddress } from '../shared/address.ts';
import type { Keys } from '../shared/help.tsx';
import { onKeys } from '../shared/keys.ts';
import type { Reveal } from '../shared/virtual-rows.tsx';
import { type Conflicts, search } from './conflicts.ts';
import { EventPanel } from './event-panel.tsx';
import { TraceLanes } from './lanes.tsx';
import { Minimap } from './minimap.tsx';
import { SearchBox } from './search-box.tsx';
import type { Target, TraceSource } from './source.ts';

export const TRACE_KEYS: Keys = [
  ['↓ j', 'next event'],
  ['↑ k', 'previous event'],
  ['Home End', 'first and last event'],
  ['/ g', 'find a name, or go to an event'],
  ['n p', 'next and previous of what was found'],
  ['v', 'next violation'],
  ['Esc', 'close the event'],
  ['t', 'light or dark'],
  ['?', 'this help'],
];

interface Properties {
  source: TraceSource;
  items: readonly Item[];
  results: readonly PageResult[];
  wanted: { event: number } | null;
}

/** A trace to look around in. */
export function TraceView({ source, items, results, wanted }: Properties) {
  const { first, events, total } = source.header;
  const [selected, setSelected] = useState<number | null>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const [conflicts, setConflicts] = useState<Conflicts | null>(null);
  const [reveal, setReveal] = useState<Reveal | null>(null);
  const [view, setView] = useState({ first, last: first });
  const [width, setWidth] = useState(800);
  const [isSearching, setSearching] = useState(false);
  const lanes = useRef<HTMLDivElement>(null);
  const found = useMemo(() => involvedEvents(items), [items]);

  const select = (event: number, at: Reveal['at'] = 'nearest') => {
    const within = Math.max(first, Math.min(source.last, event));
    setSelected(within);
    setConflicts(null);
    setReveal({ row: within - first, at });
    setAddress({ kind: 'event', number: within });
  };
  const goTo = (event: number) => select(event, 'middle');
  const findNext = async (wantedTarget: Target | null, direction: 1 | -1, from: number) => {
    if (wantedTarget === null) return;
    setSearching(true);
    const [next] = await search(
      source,
      wantedTarget,
      from,
      direction,
      1,
      () => true,
      Number.POSITIVE_INFINITY,
    );
    setSearching(false);
    if (next !== undefined) goTo(next.event);
  };
  const chooseTarget = (next: Target) => {
    setTarget(next);
    void findNext(next, 1, (selected ?? view.first) - 1);
  };
  useLayoutEffect(() => {
    const element = lanes.current as HTMLDivElement;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (wanted !== null) goTo(wanted.event);
  }, [wanted]);
  const current = selected ?? view.first - 1;
  // At once, as keys may follow each other faster than the screen is drawn.
  useLayoutEffect(() =>
    onKeys((key) => {
      switch (key) {
        case 'j':
        case 'ArrowDown':
          select(current + 1);
          return true;
        case 'k':
        case 'ArrowUp':
          select(current - 1);
          return true;
        case 'Home':
          select(first);
          return true;
        case 'End':
          select(source.last);
          return true;
        case 'n':
          void findNext(target, 1, current);
          return true;
        case 'p':
          void findNext(target, -1, current);
          return true;
        case 'v': {
          const next = found.marks.find((mark) => mark > current) ?? found.marks[0];
          if (next !== undefined) goTo(next);
          return true;
        }
        case '/':
        case 'g':
          document.getElementById('search')?.focus();
          return true;
        case 'Escape':
          setSelected(null);
          setConflicts(null);
          return true;
        default:
          return false;
      }
    }),
  );
  const problem = results.find(({ error }) => error !== undefined)?.error;
  const itemsHere = selected === null ? [] : (found.byEvent.get(selected) ?? []);

  return (
    <main class="trace">
      <div class="toolbar">
        <SearchBox source={source} onTarget={chooseTarget} onEvent={goTo} />
        {target !== null && (
          <fieldset class="matches" aria-label="What was found">
            <button type="button" aria-label="Previous match" onClick={() => findNext(target, -1, current)}>
              ↑
            </button>
            <button type="button" aria-label="Next match" onClick={() => findNext(target, 1, current)}>
              ↓
            </button>
            <span class="faint" role="status">
              {isSearching ? 'searching …' : counted(source.count(target), 'event')}
            </span>
          </fieldset>
        )}
        <p class="faint range">
          {grouped(view.first)} to {grouped(view.last)} of {grouped(events)}
          {total > events && `, out of ${grouped(total)}`}
        </p>
      </div>
      {problem !== undefined && (
        <p class="problem">The trace could not be read to its end: {problem.message}</p>
      )}
      <div class="trace-body">
        <div class="trace-frame" ref={lanes}>
          <TraceLanes
            source={source}
            width={width}
            selected={selected}
            target={target}
            conflicts={conflicts}
            involved={found.events}
            violated={found.blocks}
            reveal={reveal}
            onEvent={(event) => select(event)}
            onView={(first, last) => setView({ first, last })}
          />
        </div>
        <Minimap
          source={source}
          view={view}
          marks={found.marks}
          onEvent={(event) => setReveal({ row: event - first, at: 'top' })}
        />
        {selected !== null && (
          <EventPanel
            source={source}
            selected={selected}
            items={itemsHere}
            onEvent={goTo}
            onTarget={chooseTarget}
            onConflicts={setConflicts}
            onClose={() => setSelected(null)}
          />
        )}
      </div>
    </main>
  );
}

interface Involved {
  /** Where each violation was noticed, in order. */
  marks: number[];
  events: Set<number>;
  /** The begins of the blocks that were broken. */
  blocks: Set<number>;
  byEvent: Map<number, Item[]>;
}

function involvedEvents(items: readonly Item[]): Involved {
  const events = new Set<number>();
  const blocks = new Set<number>();
  const byEvent = new Map<number, Item[]>();
  for (const item of items) {
    const { event, block, cycle, interference, related } = item.violation;
    const own = new Set([event, ...cycle.flatMap(({ from, to }) => [from.event, to.event])]);
    for (const one of related) own.add(one.event);
    if (interference !== null)
      for (const part of ['first', 'between', 'last'] as const) own.add(interference[part].event);
    for (const one of own) {
      events.add(one);
      const there = byEvent.get(one);
      if (there === undefined) byEvent.set(one, [item]);
      else there.push(item);
    }
    if (block !== null) blocks.add(block.begin);
  }
  const marks = [...new Set(items.map(({ violation }) => violation.event))].sort((a, b) => a - b);
  return { marks, events, blocks, byEvent };
}
