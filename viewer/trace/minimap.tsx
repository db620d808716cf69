import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { grouped } from '../../src/report/layout.ts';
import type { ChunkNames } from '../../src/view/name-index.ts';
import type { TraceSource } from './source.ts';

const WIDTH = 76;
const MARKS = 8;

interface Properties {
  source: TraceSource;
  /** The events in sight. */
  view: { first: number; last: number };
  /** Events at which something was found. */
  marks: readonly number[];
  onEvent: (event: number) => void;
}

/** The whole trace at once: which threads were busy when, and where something was found. */
export function Minimap({ source, view, marks, onEvent }: Properties) {
  const { first, events, lanes } = source.header;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [index, setIndex] = useState<ChunkNames[] | null>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    source.index().then(setIndex);
  }, [source]);
  useLayoutEffect(() => {
    const element = canvas.current as HTMLCanvasElement;
    const measure = () => setHeight(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const draw = () => {
    const element = canvas.current;
    if (element === null || index === null || height === 0) return;
    const scale = devicePixelRatio;
    element.width = WIDTH * scale;
    element.height = height * scale;
    const context = element.getContext('2d') as CanvasRenderingContext2D;
    context.scale(scale, scale);
    const style = getComputedStyle(element);
    context.fillStyle = style.color;
    const laneWidth = (WIDTH - MARKS) / lanes;
    const chunkHeight = (height * source.header.chunkEvents) / events;
    for (const [i, { names, threadEvents }] of index.entries()) {
      for (let j = 0; j < names[0].length; j++) {
        const share = threadEvents[j] / source.header.chunkEvents;
        if (share === 0) continue;
        // A little activity must not be lost beside much.
        context.globalAlpha = Math.min(1, 0.12 + 0.88 * Math.sqrt(share));
        const lane = source.lane(names[0][j]);
        context.fillRect(
          lane * laneWidth,
          i * chunkHeight,
          Math.max(1, laneWidth - 1),
          Math.max(1, chunkHeight),
        );
      }
    }
    context.globalAlpha = 1;
    context.fillStyle = style.borderTopColor;
    for (const mark of marks) {
      context.fillRect(WIDTH - MARKS + 1, ((mark - first) / events) * height - 1, MARKS - 1, 3);
    }
  };
  useLayoutEffect(draw, [index, height, marks]);
  useEffect(() => {
    // Its colours are those of the page.
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const observer = new MutationObserver(draw);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    scheme.addEventListener('change', draw);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', draw);
    };
  });

  const go = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const share = Math.max(0, Math.min(0.999999, (event.clientY - box.top) / box.height));
    onEvent(first + Math.floor(share * events));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(events / 50));
    const by = new Map([
      ['PageDown', page],
      ['PageUp', -page],
      ['ArrowDown', view.last - view.first],
      ['ArrowUp', view.first - view.last],
    ]).get(event.key);
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onEvent(Math.max(first, Math.min(source.last, view.first + by)));
  };
  const share = (count: number) => `${(100 * count) / events}%`;
  return (
    <div
      class="minimap"
      role="slider"
      tabIndex={0}
      aria-label="Overview of the trace"
      aria-orientation="vertical"
      aria-valuemin={first}
      aria-valuemax={source.last}
      aria-valuenow={view.first}
      aria-valuetext={`events ${grouped(view.first)} to ${grouped(view.last)}`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons > 0) go(event);
      }}
    >
      <canvas ref={canvas} />
      <div
        class="in-sight"
        style={{ top: share(view.first - first), height: `max(4px, ${share(view.last - view.first + 1)})` }}
      />
    </div>
  );
}
