import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/*
 * Rows of one height, of which only those in sight are in the document. Browsers stop counting pixels somewhere
 * above ten million, so that of very many rows a stretch is laid out at a time, which moves along with the view.
 */

const STRETCH = 100_000;
const OVERSCAN = 8;
/** However high the view is said to be. */
const MOST_DRAWN = 400;

/** A new object, even of the same row, reveals it again. */
export interface Reveal {
  row: number;
  /** Where it should come to lie if it is not in sight. */
  at: 'nearest' | 'middle' | 'top';
  /** What of it should be seen where rows are wider than the view: where that starts and ends. */
  from?: number;
  to?: number;
}

interface Properties extends Omit<HTMLAttributes<HTMLDivElement>, 'children' | 'ref' | 'onScroll'> {
  count: number;
  rowHeight: number;
  /** Above the rows, and always in sight. */
  header?: ComponentChildren;
  headerHeight?: number;
  /** Least width of what is inside, for those that scroll sideways too. */
  innerWidth?: number;
  reveal?: Reveal | null;
  /** Draws the rows `first … last)`; positions inside are relative to the first. */
  children: (first: number, last: number) => ComponentChildren;
  /** A row was clicked: an element with `data-row`. */
  onRow?: (row: number) => void;
  onView?: (first: number, last: number) => void;
  onSideways?: (left: number, width: number) => void;
}

export function VirtualRows(properties: Properties) {
  const {
    count,
    rowHeight,
    header,
    headerHeight = 0,
    innerWidth,
    reveal,
    children,
    onView,
    onSideways,
    onRow,
    ...rest
  } = properties;
  const scroller = useRef<HTMLDivElement>(null);
  /** The first row of the stretch that is laid out. */
  const base = useRef(0);
  const [view, setView] = useState({ top: 0, height: 600, base: 0 });
  const span = Math.min(count, STRETCH);
  base.current = clamped(base.current, count - span);
  const start = base.current;

  const look = () => {
    const element = scroller.current;
    if (element === null) return;
    const row = Math.floor(element.scrollTop / rowHeight);
    const nearTop = row < STRETCH / 10 && base.current > 0;
    const nearBottom = row > STRETCH * 0.9 && base.current + span < count;
    if (nearTop || nearBottom) {
      const before = base.current;
      base.current = clamped(before + row - STRETCH / 2, count - span);
      element.scrollTop += (before - base.current) * rowHeight;
    }
    setView({ top: element.scrollTop, height: element.clientHeight - headerHeight, base: base.current });
    onSideways?.(element.scrollLeft, element.clientWidth);
  };

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [count, rowHeight]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || reveal == null) return;
    const { row, at, from = 0, to = 0 } = reveal;
    const right = element.scrollLeft + element.clientWidth;
    if (from < element.scrollLeft || to > right) {
      element.scrollLeft = Math.max(0, (from + to - element.clientWidth) / 2);
    }
    const height = element.clientHeight - headerHeight;
    const top = (row - base.current) * rowHeight;
    const distance = Math.abs(top - element.scrollTop);
    if (at !== 'top' && top >= element.scrollTop && top + rowHeight <= element.scrollTop + height) return;
    let wanted = top - rowHeight;
    if (at === 'top') wanted = top;
    else if (at === 'middle' || distance > 2 * height) wanted = top - (height - rowHeight) / 2;
    else if (top > element.scrollTop) wanted = top + 2 * rowHeight - height;
    if (wanted < 0 || wanted > span * rowHeight - height) {
      const before = base.current;
      base.current = clamped(row - (span >> 1), count - span);
      wanted += (before - base.current) * rowHeight;
    }
    element.scrollTop = wanted;
    look();
  }, [reveal]);

  const click = (event: MouseEvent) => {
    const row = (event.target as Element).closest<HTMLElement>('[data-row]')?.dataset.row;
    if (row === undefined) return;
    // The rows come and go; the list is what has the focus.
    scroller.current?.focus({ preventScroll: true });
    onRow?.(Number(row));
  };
  const visible = start + Math.floor(view.top / rowHeight);
  const visibleEnd = Math.min(count, start + Math.ceil((view.top + view.height) / rowHeight));
  const first = Math.max(start, visible - OVERSCAN);
  const last = Math.min(start + span, visibleEnd + OVERSCAN, first + MOST_DRAWN);
  useLayoutEffect(() => onView?.(visible, visibleEnd), [visible, visibleEnd]);

  return (
    <div {...rest} {...{ onScroll: look, onClick: click }} ref={scroller}>
      <div class="rows-inner" style={{ minWidth: innerWidth === undefined ? '100%' : `${innerWidth}px` }}>
        {header}
        <div class="rows-space" style={{ height: `${span * rowHeight}px` }}>
          <div class="rows-drawn" style={{ transform: `translateY(${(first - start) * rowHeight}px)` }}>
            {last > first ? children(first, last) : null}
          </div>
        </div>
      </div>
    </div>
  );
}

function clamped(row: number, most: number): number {
  return Math.max(0, Math.min(Math.floor(row), most));
}
