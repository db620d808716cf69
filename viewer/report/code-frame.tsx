import type { SourceResult } from '../../src/check/result.ts';
import { sourcePlace } from '../../src/check/source-place.ts';

/** So many lines before and after. */
const AROUND = 3;
const LITTLE = 1;

interface Properties {
  sources: readonly SourceResult[] | undefined;
  location: string | null;
  /** What happens there. */
  title: string;
  isCurrent: boolean;
  /** Where other tasks came in. */
  awaits: readonly string[];
}

/** The lines of source around a place, as far as the report holds them. */
export function CodeFrame({ sources, location, title, isCurrent, awaits }: Properties) {
  const lines = sourceLines(sources, location, isCurrent ? AROUND : LITTLE);
  if (lines === null) return null;
  const path = sourcePlace(location)?.path;
  const waiting = new Set(
    awaits.map(sourcePlace).flatMap((place) => (place?.path === path ? [place?.line] : [])),
  );
  return (
    <figure class={isCurrent ? 'frame current' : 'frame'}>
      <figcaption>
        <span>{title}</span> <bdi class="faint">{location}</bdi>
      </figcaption>
      <div class="code">
        {lines.map(({ number, text, isHere }) => (
          <div key={number} class={isHere ? 'line here' : 'line'}>
            <span class="line-number">{number}</span>
            <code>{text}</code>
            {waiting.has(number) && <span class="awaits">other tasks run here</span>}
          </div>
        ))}
      </div>
    </figure>
  );
}

export function hasSource(sources: readonly SourceResult[] | undefined, location: string | null): boolean {
  return sourceLines(sources, location, 0) !== null;
}

interface SourceLine {
  number: number;
  text: string;
  isHere: boolean;
}

function sourceLines(
  sources: readonly SourceResult[] | undefined,
  location: string | null,
  around: number,
): SourceLine[] | null {
  const place = sourcePlace(location);
  const source = sources?.find(({ path }) => path === place?.path);
  if (place === null || source === undefined) return null;
  for (const { firstLine, lines } of source.excerpts) {
    if (place.line < firstLine || place.line >= firstLine + lines.length) continue;
    const at = place.line - firstLine;
    const from = Math.max(0, at - around);
    return lines.slice(from, at + around + 1).map((text, i) => ({
      number: firstLine + from + i,
      text,
      isHere: from + i === at,
    }));
  }
  return null;
}
