import { useEffect, useMemo, useState } from 'preact/hooks';
import { verbOf } from '../../src/report/event-words.ts';
import { type Arrow, arrow, type Geometry } from '../report/arrows.ts';
import { type Reveal, VirtualRows } from '../shared/virtual-rows.tsx';
import { lookOf } from '../shared/words.ts';
import { type Conflicts, names } from './conflicts.ts';
import { type Block, eventAt, type LoadedChunk, mnemonic, type Target, type TraceSource } from './source.ts';

const ROW = 26;
const HEADER = 34;
const NEST = 5;
const DEEPEST = 4;
const MOST_BOXES = 400;

interface Properties {
  source: TraceSource;
  width: number;
  selected: number | null;
  target: Target | null;
  conflicts: Conflicts | null;
  /** Events at which something was found, and the begins of blocks that were broken. */
  involved: ReadonlySet<number>;
  violated: ReadonlySet<number>;
  reveal: Reveal | null;
  onEvent: (event: number) => void;
  onView: (first: number, last: number) => void;
}

/** The events in sight as swim lanes. */
export function TraceLanes(properties: Properties) {
  const { source, width, selected, target, conflicts, involved, violated, reveal, onEvent, onView } =
    properties;
  const { first: firstEvent, events, lanes } = source.header;
  const [, setLoaded] = useState(0);
  const [side, setSide] = useState({ left: 0, width: 1000 });
  const [seen, setSeen] = useState({ first: 0, last: 0 });
  const from = source.chunkOf(firstEvent + seen.first);
  const to = source.chunkOf(firstEvent + Math.max(seen.first, seen.last - 1));
  useEffect(() => {
    let isCurrent = true;
    void source.show({ from: from - 1, to: to + 1 }).then((hasLoaded) => {
      if (hasLoaded && isCurrent) setLoaded((count) => count + 1);
    });
    return () => {
      isCurrent = false;
    };
  }, [from, to, source]);

  const isNarrow = width < 560;
  const left = Math.max(44, String(source.last).length * 8 + 20);
  const least = isNarrow ? 120 : 150;
  const geometry: Geometry = {
    rowHeight: ROW,
    laneWidth: Math.max(least, Math.min(340, Math.floor((width - left - 16) / lanes))),
    left,
    padding: isNarrow ? 12 : 20,
    border: 5,
  };
  const { laneWidth } = geometry;
  const firstLane = Math.max(0, Math.floor((side.left - left) / laneWidth));
  const lastLane = Math.min(lanes, Math.ceil((side.left + side.width - left) / laneWidth));
  const inSight = (lane: number) => lane >= firstLane && lane < lastLane;
  const shownLanes = Array.from({ length: Math.max(0, lastLane - firstLane) }, (_, i) => firstLane + i);
  const revealed = useMemo((): Reveal | null => {
    const chunk = selected === null ? null : source.peek(source.chunkOf(selected));
    if (reveal === null || chunk === null || selected === null) return reveal;
    const from = left + source.lane(eventAt(chunk, selected).thread) * laneWidth;
    return { ...reveal, from, to: from + laneWidth };
  }, [reveal, laneWidth, source.peek(source.chunkOf(selected ?? firstEvent))]);
  const holders = laneHolders(source, firstEvent + ((seen.first + seen.last) >> 1));

  return (
    <VirtualRows
      class="trace-lanes"
      role="listbox"
      aria-label={`Events of the trace, ${events} in all`}
      aria-activedescendant={selected === null ? undefined : `event-${selected}`}
      tabIndex={0}
      onRow={(row) => onEvent(firstEvent + row)}
      count={events}
      rowHeight={ROW}
      headerHeight={HEADER}
      innerWidth={left + lanes * laneWidth}
      reveal={revealed}
      onSideways={(left, width) => setSide({ left, width })}
      onView={(first, last) => {
        setSeen({ first, last });
        onView(firstEvent + first, firstEvent + Math.max(first, last - 1));
      }}
      header={
        <div class="lanes-head" aria-hidden="true">
          {shownLanes.map((lane) => (
            <span
              key={lane}
              class="lane-name"
              style={{ left: `${left + lane * laneWidth}px`, width: `${laneWidth}px` }}
            >
              <bdi>{holders.get(lane) ?? ''}</bdi>
            </span>
          ))}
        </div>
      }
    >
      {(first, last) => {
        const top = firstEvent + first;
        const bottom = firstEvent + last - 1;
        const chunks = loadedChunks(source, top, bottom);
        return (
          <div class="diagram-rows" style={{ height: `${(last - first) * ROW}px` }}>
            <svg
              class="under"
              aria-hidden="true"
              width={left + lanes * laneWidth}
              height={(last - first) * ROW}
            >
              {shownLanes.map((lane) => (
                <line
                  key={lane}
                  class="lane-line"
                  x1={left + (lane + 0.5) * laneWidth}
                  x2={left + (lane + 0.5) * laneWidth}
                  y1={0}
                  y2={(last - first) * ROW}
                />
              ))}
              {blocksIn(chunks, top, bottom, (thread) => inSight(source.lane(thread))).map((block) => (
                <BlockShape
                  key={`${block.thread} ${block.begin}`}
                  block={block}
                  lane={source.lane(block.thread)}
                  top={top}
                  bottom={bottom}
                  geometry={geometry}
                  isViolated={violated.has(block.begin)}
                />
              ))}
            </svg>
            {Array.from({ length: last - first }, (_, i) => {
              const event = top + i;
              const chunk = source.peek(source.chunkOf(event));
              const classes = `event-row${event === selected ? ' current' : ''}${involved.has(event) ? ' involved' : ''}`;
              const place = { top: `${i * ROW}px`, height: `${ROW}px` };
              if (chunk === null) {
                return (
                  <div key={event} class={classes} style={place}>
                    <span class="number" style={{ width: `${left}px` }}>
                      {event}
                    </span>
                  </div>
                );
              }
              const { thread, op, operand, location } = eventAt(chunk, event);
              const lane = source.lane(thread);
              const word = mnemonic(op);
              const name = source.operand({ op, operand });
              const where = source.location(location);
              const isFound = target !== null && names(chunk, event - chunk.first, target);
              return (
                <div
                  key={event}
                  id={`event-${event}`}
                  role="option"
                  tabIndex={-1}
                  data-row={event - firstEvent}
                  aria-selected={event === selected}
                  aria-posinset={event - firstEvent + 1}
                  aria-setsize={events}
                  class={classes}
                  style={place}
                >
                  <span class="sr-only">{`Event ${event}: thread ${source.thread(thread)} ${verbOf(word)} ${name}${where === null ? '' : ` at ${where}`}`}</span>
                  <span class="number" aria-hidden="true" style={{ width: `${left}px` }}>
                    {event}
                  </span>
                  <span
                    aria-hidden="true"
                    class={`cell ${lookOf(word)}${isFound ? ' found' : ''}`}
                    style={{
                      left: `${left + lane * laneWidth + geometry.padding}px`,
                      width: `${laneWidth - 2 * geometry.padding}px`,
                    }}
                    title={`${source.thread(thread)} ${verbOf(word)} ${name}${where === null ? '' : ` at ${where}`}`}
                  >
                    <span class="verb">{laneWidth < 180 ? word : verbOf(word)}</span>
                    <bdi class="operand">{name}</bdi>
                    {laneWidth > 220 && where !== null && <bdi class="where">{where}</bdi>}
                  </span>
                </div>
              );
            })}
            <ConflictArrows
              arrows={conflictArrows(source, selected, conflicts, geometry, top, bottom)}
              width={left + lanes * laneWidth}
              height={(last - first) * ROW}
            />
          </div>
        );
      }}
    </VirtualRows>
  );
}

function loadedChunks(source: TraceSource, top: number, bottom: number): LoadedChunk[] {
  const chunks: LoadedChunk[] = [];
  for (let i = source.chunkOf(top); i <= source.chunkOf(bottom); i++) {
    const chunk = source.peek(i);
    if (chunk !== null) chunks.push(chunk);
  }
  return chunks;
}

/** The blocks that can be seen; one that goes on from chunk to chunk is taken from where it ends. */
function blocksIn(
  chunks: readonly LoadedChunk[],
  top: number,
  bottom: number,
  isShown: (thread: number) => boolean,
): Block[] {
  const found = new Map<string, Block>();
  for (const { blocks } of chunks) {
    for (const block of blocks) {
      if (block.begin > bottom || block.end < top || !isShown(block.thread)) continue;
      found.set(`${block.thread} ${block.begin}`, block);
      if (found.size >= MOST_BOXES) return [...found.values()];
    }
  }
  return [...found.values()];
}

interface ShapeProperties {
  block: Block;
  lane: number;
  top: number;
  bottom: number;
  geometry: Geometry;
  isViolated: boolean;
}

function BlockShape({ block, lane, top, bottom, geometry, isViolated }: ShapeProperties) {
  const { laneWidth, left, padding, border } = geometry;
  const inset = Math.min(block.depth, DEEPEST) * NEST - border - 4;
  // A row more than is seen, so that a block which goes on has no border there.
  const from = Math.max(block.begin, top - 2) - top;
  const to = Math.min(block.end, bottom + 2) - top;
  return (
    <rect
      class={isViolated ? 'box violated' : 'box'}
      x={left + lane * laneWidth + padding + inset}
      y={from * ROW + 1}
      width={Math.max(4, laneWidth - 2 * padding - 2 * inset)}
      height={(to - from + 1) * ROW - 2}
      rx={6}
    />
  );
}

/** Arrows between the selected event and those it conflicts with, as far as they can be seen. */
function conflictArrows(
  source: TraceSource,
  selected: number | null,
  conflicts: Conflicts | null,
  geometry: Geometry,
  top: number,
  bottom: number,
): Arrow<{ from: number; to: number }>[] {
  if (selected === null || conflicts === null) return [];
  const own = source.peek(source.chunkOf(selected));
  if (own === null) return [];
  const lane = source.lane(eventAt(own, selected).thread);
  const row = selected - top;
  const far = (event: number) => Math.max(-50, Math.min(bottom - top + 50, event - top));
  return [...conflicts.before, ...conflicts.after].map(({ event, thread }, i) => {
    const other = source.lane(thread);
    const isBefore = event < selected;
    const rows = isBefore ? { from: far(event), to: row } : { from: row, to: far(event) };
    const ends = isBefore ? { from: other, to: lane } : { from: lane, to: other };
    return arrow(rows, i % 5, ends, geometry, 0);
  });
}

interface ArrowsProperties {
  arrows: readonly Arrow<{ from: number; to: number }>[];
  width: number;
  height: number;
}

function ConflictArrows({ arrows, width, height }: ArrowsProperties) {
  return (
    <svg class="over" aria-hidden="true" width={width} height={height}>
      {arrows.map(({ path, head }, i) => (
        <g key={i} class="arrow cycle">
          <path class="halo" d={path} />
          <path class="line" d={path} />
          <path class="head" d={head} />
        </g>
      ))}
    </svg>
  );
}

/** The thread in each lane at an event. */
function laneHolders(source: TraceSource, event: number): Map<number, string> {
  const { first, last, lane } = source.header.threads;
  const holders = new Map<number, string>();
  const nearest = new Map<number, number>();
  for (let thread = 0; thread < lane.length; thread++) {
    if (lane[thread] < 0) continue;
    const distance = event < first[thread] ? first[thread] - event : Math.max(0, event - last[thread]);
    if (distance >= (nearest.get(lane[thread]) ?? Number.POSITIVE_INFINITY)) continue;
    nearest.set(lane[thread], distance);
    holders.set(lane[thread], source.thread(thread));
  }
  return holders;
}
