import { operationText } from '../../src/check/operation-text.ts';
import { type CycleGraph, cycleGraph } from '../../src/report/cycle-graph.ts';
import type { Origin } from '../../src/report/event-words.ts';
import type { PageViolation } from '../../src/report/html-data.ts';
import { counted } from '../../src/report/layout.ts';

const BOX = 54;
const GAP = 40;
const LANE = 22;
const HEAD = 5;
const WIDTH = 340;
/** Larger cycles are better read in the lanes. */
const MOST_BOXES = 24;

interface Properties {
  violation: PageViolation;
  origin: Origin;
  onEvent: (event: number) => void;
}

/** The cycle of transactions: each has to come before the next, and so before itself. */
export function Graph({ violation, origin, onEvent }: Properties) {
  if (violation.cycle.length === 0) return null;
  const graph = cycleGraph(violation, origin);
  if (graph.boxes.length > MOST_BOXES) {
    return (
      <p class="remark">A cycle of {counted(graph.boxes.length, 'transaction')}: too many to draw here.</p>
    );
  }
  return (
    <>
      <Drawing graph={graph} />
      <ol class="conflicts" aria-label="Conflicts along the cycle">
        {violation.cycle.map(({ from, to }, i) => (
          <li key={i}>
            <button type="button" class="plain" onClick={() => onEvent(to.event)}>
              <bdi>{from.thread}</bdi> <code>{operationText(from)}</code>{' '}
              <span class="faint">event {from.event}</span>
              <br />
              <span class="faint">before</span> <bdi>{to.thread}</bdi> <code>{operationText(to)}</code>{' '}
              <span class="faint">event {to.event}</span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Boxes below each other in the order of the cycle; arrows that do not lead to the next box run beside them. */
function Drawing({ graph: { boxes, arrows } }: { graph: CycleGraph }) {
  const numbered = arrows.map((arrow, i) => ({
    ...arrow,
    number:
      arrow.role === 'onward' ? 0 : arrows.slice(0, i + 1).filter(({ role }) => role !== 'onward').length,
  }));
  const beside = numbered.filter(({ from, to }) => to !== from + 1);
  const straight = numbered.filter(({ from, to }) => to === from + 1);
  const left = beside.length === 0 ? 1 : Math.min(6, beside.length) * LANE + 12;
  const top = (box: number) => 1 + box * (BOX + GAP);
  const height = top(boxes.length - 1) + BOX + 1;
  const words = boxes.map(({ lines }) => lines.join(', ')).join('; then ');
  return (
    <svg
      class="graph"
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label={`Transactions on the cycle: ${words}`}
    >
      {boxes.map(({ lines, isBlamed }, i) => (
        <g key={i} class={isBlamed ? 'transaction blamed' : 'transaction'}>
          <rect x={left} y={top(i)} width={WIDTH - left - 2} height={BOX} rx={8} />
          {lines.slice(0, 2).map((line, part) => (
            <text key={part} class={part === 0 ? 'name' : 'faint'} x={left + 12} y={top(i) + 22 + part * 18}>
              {clipped(line, part === 0 ? 34 : 42)}
            </text>
          ))}
        </g>
      ))}
      {straight.map(({ from, role, number }, i) => {
        const same = straight.filter((other) => other.from === from);
        const x = left + (WIDTH - left) / 2 + (i - straight.indexOf(same[0])) * 28 - (same.length - 1) * 14;
        const end = top(from + 1);
        return (
          <Arrow key={i} role={role} number={number} x={x} y={(top(from) + BOX + end) / 2 - 3}>
            <path class="line" d={`M${x} ${top(from) + BOX}V${end - HEAD}`} />
            <path class="head" d={`M${x} ${end}l${-HEAD} ${-2 * HEAD}h${2 * HEAD}z`} />
          </Arrow>
        );
      })}
      {beside.map(({ from, to, role, number }, i) => {
        const x = left - 12 - (i % 6) * LANE;
        const start = top(from) + BOX - 14 - (i % 3) * 6;
        const end = top(to) + 14 + (i % 3) * 6;
        const corner = from > to ? -8 : 8;
        return (
          <Arrow key={i} role={role} number={number} x={x} y={(start + end) / 2}>
            <path
              class="line"
              d={`M${left} ${start}H${x + 8}Q${x} ${start} ${x} ${start + corner}V${end - corner}Q${x} ${end} ${x + 8} ${end}H${left - HEAD}`}
            />
            <path class="head" d={`M${left} ${end}l${-2 * HEAD} ${-HEAD}v${2 * HEAD}z`} />
          </Arrow>
        );
      })}
    </svg>
  );
}

interface ArrowProperties {
  role: string;
  number: number;
  x: number;
  y: number;
  children: preact.ComponentChildren;
}

function Arrow({ role, number, x, y, children }: ArrowProperties) {
  return (
    <g class={`arrow cycle ${role}`}>
      {children}
      {number > 0 && (
        <>
          <circle cx={x} cy={y} r={9} />
          <text x={x} y={y}>
            {number}
          </text>
        </>
      )}
    </g>
  );
}

function clipped(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
