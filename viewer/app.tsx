import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { counted } from '../src/report/layout.ts';
import type { ReportData } from './report/items.ts';
import { REPORT_KEYS, Report } from './report/report.tsx';
import { type Address, currentAddress, onAddress } from './shared/address.ts';
import { Help } from './shared/help.tsx';
import { onKeys } from './shared/keys.ts';
import { applyTheme, isDark, rememberedTheme, type Theme } from './shared/theme.ts';
import type { TraceSource } from './trace/source.ts';
import { TRACE_KEYS, TraceView } from './trace/trace-view.tsx';

interface Properties {
  data: ReportData;
  /** Only on pages of `trackside view`. */
  trace: TraceSource | null;
}

/** A report, a trace, or both. */
export function App({ data, trace }: Properties) {
  const [theme, setTheme] = useState<Theme>(rememberedTheme);
  const [isHelping, setHelping] = useState(false);
  const [isTrace, setTrace] = useState(trace !== null && currentAddress()?.kind !== 'violation');
  const [wanted, setWanted] = useState(() => eventOf(currentAddress()));
  const toggleTheme = () => setTheme(isDark(theme) ? 'light' : 'dark');
  // At once, so that nothing is drawn in other colours before.
  useLayoutEffect(() => applyTheme(theme), [theme]);
  // At once, as keys may follow each other faster than the screen is drawn.
  useLayoutEffect(() =>
    onKeys((key) => {
      if (key === 't') toggleTheme();
      else if (key === '?') setHelping(true);
      else return false;
      return true;
    }),
  );
  useEffect(
    () =>
      onAddress((address) => {
        if (trace === null || address === null) return;
        setTrace(address.kind === 'event');
        if (address.kind === 'event') setWanted(eventOf(address));
      }),
    [],
  );
  useEffect(() => {
    document.title = `${trace === null ? summary(data) : trace.header.trace} · Trackside`;
  }, []);
  const showInTrace = (event: number) => {
    setWanted({ event });
    setTrace(true);
  };
  const hasReport = trace === null || data.items.length > 0;

  return (
    <>
      <header class="top">
        <h1>
          <Mark />
          Trackside
        </h1>
        <p class="top-summary">
          {trace === null || !isTrace ? summary(data) : <bdi>{trace.header.trace}</bdi>}
        </p>
        {trace !== null && hasReport && (
          <fieldset class="choice" aria-label="View">
            <button type="button" aria-pressed={isTrace} onClick={() => setTrace(true)}>
              Trace
            </button>
            <button type="button" aria-pressed={!isTrace} onClick={() => setTrace(false)}>
              Violations
            </button>
          </fieldset>
        )}
        <button
          type="button"
          class="icon"
          aria-label="Light or dark"
          title="Light or dark (t)"
          onClick={toggleTheme}
        >
          ◐
        </button>
        <button
          type="button"
          class="icon"
          aria-label="Keys"
          title="Keys (?)"
          onClick={() => setHelping(true)}
        >
          ?
        </button>
      </header>
      {trace !== null && isTrace ? (
        <TraceView source={trace} items={data.items} results={data.results} wanted={wanted} />
      ) : (
        <Report data={data} onShowInTrace={trace === null ? null : showInTrace} />
      )}
      {isHelping && <Help keys={isTrace ? TRACE_KEYS : REPORT_KEYS} onClose={() => setHelping(false)} />}
    </>
  );
}

/** A new object each time, as the same event may be asked for again. */
function eventOf(address: Address | null): { event: number } | null {
  return address?.kind === 'event' ? { event: address.number } : null;
}

function summary({ items, results }: ReportData): string {
  const traces = new Set(results.map(({ trace }) => trace)).size;
  const blocks = new Set(items.map(({ violation }) => violation.block?.label ?? '')).size;
  const where = traces === 1 ? results[0].trace : counted(traces, 'trace');
  if (items.length === 0) return `No violations in ${where}`;
  return `${counted(items.length, 'violation')} of ${counted(blocks, 'block')} in ${where}`;
}

/** Two tracks that cross. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M5 2v5c0 6 14 4 14 10v5" />
      <path class="other" d="M19 2v5c0 6-14 4-14 10v5" />
    </svg>
  );
}
