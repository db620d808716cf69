import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Place } from '../shared/place.tsx';
import { type Reveal, VirtualRows } from '../shared/virtual-rows.tsx';
import { placeWords } from '../shared/words.ts';
import { type Arrow, arrow, type Geometry, tracks } from './arrows.ts';
import type { Box, Edge, Step, Story } from './story.ts';

const HEADER = 36;
const NEST = 7;
const DEEPEST = 4;

interface Properties {
  story: Story;
  /** What a lane is: a thread of a trace, a task of a program. */
  word: string;
  current: number;
  onStep: (row: number) => void;
  /** What it shows, for those who do not see it. */
  label: string;
}

/** An interleaving as swim lanes: a thread a lane, an event a row, time downwards. */
export function Diagram({ story, word, current, onStep, label }: Properties) {
  const { lanes, steps, boxes, edges } = story;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  const [reveal, setReveal] = useState<Reveal | null>(null);
  useLayoutEffect(() => {
    const element = frame.current as HTMLDivElement;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const isNarrow = width < 480;
  const left = isNarrow ? 36 : 64;
  // A scroll bar takes its own room.
  const room = width - left - 16;
  const least = isNarrow ? 136 : 170;
  const isPlaced = steps.some(({ location, role }) => location !== null || role !== null);
  const laneWidth = Math.max(least, Math.min(420, Math.floor(room / lanes.length)));
  // In a narrow lane the name has a line of its own.
  const isTight = laneWidth < 225;
  const geometry: Geometry = {
    rowHeight: (isPlaced ? 48 : 36) + (isTight ? 14 : 0),
    laneWidth,
    left,
    padding: isNarrow ? 15 : laneWidth < 260 ? 26 : 36,
    border: isNarrow ? 5 : 9,
  };
  const { rowHeight } = geometry;
  useLayoutEffect(() => {
    const from = left + (steps[current]?.lane ?? 0) * laneWidth;
    setReveal({ row: current, at: 'nearest', from: Math.min(from, from - left), to: from + laneWidth });
  }, [current, story, laneWidth]);
  const trackOf = useMemo(() => tracks(edges, steps), [story]);
  const innerWidth = left + lanes.length * laneWidth;
  const [side, setSide] = useState({ left: 0, width: 1000 });
  const firstLane = Math.max(0, Math.floor((side.left - left) / laneWidth) - 1);
  const lastLane = Math.min(lanes.length, Math.ceil((side.left + side.width - left) / laneWidth) + 1);
  const inSight = (lane: number) => lane >= firstLane && lane < lastLane;

  return (
    <div class="diagram-frame" ref={frame}>
      <VirtualRows
        class={isTight ? 'diagram tight' : 'diagram'}
        role="listbox"
        aria-label={label}
        aria-activedescendant={`step-${current}`}
        tabIndex={0}
        onRow={onStep}
        count={steps.length}
        rowHeight={rowHeight}
        headerHeight={HEADER}
        innerWidth={innerWidth}
        reveal={reveal}
        onSideways={(left, width) => setSide({ left, width })}
        header={
          <div class="lanes-head" aria-hidden="true">
            <span class="lane-number" style={{ width: `${left}px` }}>
              {isNarrow ? '#' : 'event'}
            </span>
            {lanes.slice(firstLane, lastLane).map((name, i) => (
              <span
                key={firstLane + i}
                class={`lane-name lane-${(firstLane + i) % 6}`}
                style={{ left: `${left + (firstLane + i) * laneWidth}px`, width: `${laneWidth}px` }}
                title={name}
              >
                <bdi>{name}</bdi>
              </span>
            ))}
          </div>
        }
      >
        {(first, last) => (
          <div class="diagram-rows" style={{ height: `${(last - first) * rowHeight}px` }}>
            <svg class="under" aria-hidden="true" width={innerWidth} height={(last - first) * rowHeight}>
              {lanes.slice(firstLane, lastLane).map((_, i) => (
                <line
                  key={i}
                  class="lane-line"
                  x1={left + (firstLane + i + 0.5) * laneWidth}
                  x2={left + (firstLane + i + 0.5) * laneWidth}
                  y1={0}
                  y2={(last - first) * rowHeight}
                />
              ))}
              {boxes
                .filter(({ from, to, lane }) => to >= first && from < last && inSight(lane))
                .map((box) => (
                  <BoxShape key={`${box.lane} ${box.from}`} box={box} geometry={geometry} first={first} />
                ))}
            </svg>
            {steps.slice(first, last).map((step, i) => (
              <StepRow
                key={first + i}
                step={step}
                row={first + i}
                top={i * rowHeight}
                geometry={geometry}
                isCurrent={first + i === current}
                count={steps.length}
                description={described(step, first + i, story, word)}
              />
            ))}
            <Arrows
              current={current}
              drawn={edges
                .filter(({ from, to }) => to >= first && from < last)
                .map((edge) => {
                  const lanes = { from: steps[edge.from].lane, to: steps[edge.to].lane };
                  return arrow(edge, trackOf.get(edge) ?? 0, lanes, geometry, first);
                })}
              width={innerWidth}
              height={(last - first) * rowHeight}
              isNumbered={!isNarrow}
            />
          </div>
        )}
      </VirtualRows>
    </div>
  );
}

function BoxShape({ box, geometry, first }: { box: Box; geometry: Geometry; first: number }) {
  const { rowHeight, laneWidth, left, padding, border } = geometry;
  const inset = Math.min(box.depth, DEEPEST) * NEST - border;
  const x = left + box.lane * laneWidth + padding + inset;
  const width = laneWidth - 2 * padding - 2 * inset;
  // What lies far out of sight need not be exact, and must not be too large for the browser.
  const top = Math.max(-1000, (box.from - first) * rowHeight + 2);
  const bottom = Math.min(100_000, (box.to - first + 1) * rowHeight - 2);
  return (
    <rect
      class={`box${box.isViolated ? ' violated' : ''}${box.isOpen ? ' open' : ''}`}
      x={x}
      y={top}
      width={width}
      height={bottom - top}
      rx={8}
    />
  );
}

interface ArrowsProperties {
  current: number;
  drawn: readonly Arrow<Edge>[];
  width: number;
  height: number;
  isNumbered: boolean;
}

/** Numbers come last, so that no line covers them. */
function Arrows({ current, drawn, width, height, isNumbered }: ArrowsProperties) {
  const looks = ({ kind, isClosing, from, to }: Edge) =>
    `arrow ${kind}${isClosing ? ' closing' : ''}${from === current || to === current ? ' current' : ''}`;
  return (
    <svg class="over" aria-hidden="true" width={width} height={height}>
      {drawn.map(({ edge, path, head }) => (
        <g key={`${edge.from} ${edge.to}`} class={looks(edge)}>
          <path class="halo" d={path} />
          <path class="line" d={path} />
          <path class="head" d={head} />
        </g>
      ))}
      {drawn
        .filter(({ edge }) => isNumbered && edge.number > 0)
        .map(({ edge, x, y }) => (
          <g key={edge.number} class={looks(edge)}>
            <circle cx={x} cy={y} r={edge.number > 99 ? 12 : 8} />
            <text x={x} y={y}>
              {edge.number}
            </text>
          </g>
        ))}
    </svg>
  );
}

interface RowProperties {
  step: Step;
  row: number;
  top: number;
  geometry: Geometry;
  isCurrent: boolean;
  count: number;
  description: string;
}

function StepRow({ step, row, top, geometry, isCurrent, count, description }: RowProperties) {
  const { rowHeight, laneWidth, left, padding } = geometry;
  const { event, verb, operand, look, location, value, role, part, lane } = step;
  const inset = Math.min(Math.max(0, step.depth - 1), DEEPEST) * NEST;
  const place = { top: `${top}px`, height: `${rowHeight}px` };
  const cell = {
    left: `${left + lane * laneWidth + padding + inset}px`,
    width: `${laneWidth - 2 * padding - 2 * inset}px`,
    height: `${rowHeight - 8}px`,
  };
  return (
    <div
      id={`step-${row}`}
      class={`step${isCurrent ? ' current' : ''}`}
      role="option"
      tabIndex={-1}
      data-row={row}
      aria-selected={isCurrent}
      aria-posinset={row + 1}
      aria-setsize={count}
      style={place}
    >
      <span class="sr-only">{description}</span>
      <span class="number" aria-hidden="true" style={{ width: `${left}px` }}>
        {event}
      </span>
      <span
        class={`cell ${look}${part === null ? '' : ` part ${part}`}`}
        aria-hidden="true"
        style={cell}
        title={`${verb} ${operand}`}
      >
        <span class="did">
          <span class="verb">{verb}</span> <bdi class="operand">{operand}</bdi>
          {value !== null && <ValueOf value={value} />}
        </span>
        {(location !== null || role !== null) && (
          <span class="where">
            {role !== null && <b>{role} </b>}
            {location !== null && <Place location={location} />}
          </span>
        )}
      </span>
    </div>
  );
}

/** What was read or written. */
export function ValueOf({ value }: { value: string }) {
  return (
    <>
      {' = '}
      <bdi class="value">{value}</bdi>
    </>
  );
}

/** A row in words: what the lanes, boxes and arrows show. */
function described(step: Step, row: number, { edges, steps }: Story, word: string): string {
  const { event, thread, verb, operand, location, value, role } = step;
  const is = value === null ? '' : ` = ${value}`;
  const words = [`Event ${event}: ${word} ${thread} ${verb} ${operand}${is}`];
  if (location !== null) words.push(`at ${placeWords(location)}`);
  if (role !== null) words.push(role);
  const conflicts = edges.filter((edge) => edge.from === row || edge.to === row).slice(0, 5);
  return [words.join(', '), ...conflicts.map((edge) => relation(edge, row, steps, word))].join('. ');
}

/** How a row conflicts with another one. */
export function relation(edge: Edge, row: number, steps: readonly Step[], word: string): string {
  const other = steps[edge.from === row ? edge.to : edge.from];
  const order = edge.from === row ? 'before' : 'after';
  const closing = edge.isClosing && edge.to === row ? ', which closes the cycle' : '';
  return `${order} ${word} ${other.thread} ${other.verb} ${other.operand} at event ${other.event}${closing}`;
}
