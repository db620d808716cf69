import { sourcePlace } from '../../src/check/source-place.ts';
import type { ColouredSource } from '../../src/report/colours.ts';
import { PlaceLink } from '../shared/place.tsx';

/** So many lines before and after. */
const AROUND = 3;
const LITTLE = 1;
/** As viewer/highlighter.ts numbers them. */
const LOOKS = ['', 'keyword', 'string', 'number', 'comment', 'name', 'type'];

interface Properties {
  sources: readonly ColouredSource[] | undefined;
  location: string | null;
  /** What happens there. */
  title: string;
  isCurrent: boolean;
  /** Where other tasks came in. */
  awaits: readonly string[];
  isProgram: boolean;
}

/** The lines of source around a place, as far as the report holds them. */
export function CodeFrame({ sources, location, title, isCurrent, awaits, isProgram }: Properties) {
  const lines = sourceLines(sources, location, isCurrent ? AROUND : LITTLE);
  if (lines === null) return null;
  const path = sourcePlace(location)?.path;
  const waiting = new Set(
    awaits.map(sourcePlace).flatMap((place) => (place?.path === path ? [place?.line] : [])),
  );
  return (
    <figure class={isCurrent ? 'frame current' : 'frame'}>
      <figcaption>
        <span class="frame-title">{title}</span>
        {location !== null && <PlaceLink location={location} isProgram={isProgram} />}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys */}
      <section class="code" tabIndex={0} aria-label={`Source at ${location}`}>
        {lines.map(({ number, text, colours, isHere }) => (
          <div key={number} class={isHere ? 'line here' : 'line'}>
            <span class="line-number">{number}</span>
            <code>
              <Code text={text} colours={colours} />
            </code>
            {waiting.has(number) && <span class="awaits">other tasks run here</span>}
          </div>
        ))}
      </section>
    </figure>
  );
}

/** A line with its colours: lengths and looks in turn. */
function Code({ text, colours }: { text: string; colours: readonly number[] }) {
  const parts = [];
  let at = 0;
  for (let i = 0; i + 1 < colours.length; i += 2) {
    const part = text.slice(at, at + colours[i]);
    const look = LOOKS[colours[i + 1]] ?? '';
    parts.push(
      look === '' ? (
        part
      ) : (
        <span key={i} class={`look-${look}`}>
          {part}
        </span>
      ),
    );
    at += colours[i];
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}

export function hasSource(sources: readonly ColouredSource[] | undefined, location: string | null): boolean {
  return sourceLines(sources, location, 0) !== null;
}

interface SourceLine {
  number: number;
  text: string;
  colours: readonly number[];
  isHere: boolean;
}

function sourceLines(
  sources: readonly ColouredSource[] | undefined,
  location: string | null,
  around: number,
): SourceLine[] | null {
  const place = sourcePlace(location);
  const source = sources?.find(({ path }) => path === place?.path);
  if (place === null || source === undefined) return null;
  for (const [index, { firstLine, lines }] of source.excerpts.entries()) {
    if (place.line < firstLine || place.line >= firstLine + lines.length) continue;
    const at = place.line - firstLine;
    const from = Math.max(0, at - around);
    return lines.slice(from, at + around + 1).map((text, i) => ({
      number: firstLine + from + i,
      text,
      colours: source.colours?.[index]?.[from + i] ?? [],
      isHere: from + i === at,
    }));
  }
  return null;
}
