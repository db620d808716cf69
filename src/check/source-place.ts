/** A place in a source file, as far as the location of an event tells it. */
export interface SourcePlace {
  path: string;
  line: number;
  column: number | null;
}

/** Longer ones are no paths, whatever they look like. */
const LONGEST = 1000;
/** Lines and columns are 32-bit numbers wherever these places are read. */
const LARGEST = 0x7fffffff;

/** `File.java:12` or `src/file.ts:12:3`, perhaps with remarks (`, in one step`); null for every other location, such as a plain number. */
export function sourcePlace(location: string | null): SourcePlace | null {
  if (location === null || location.length > LONGEST) return null;
  const match = /:(\d{1,10})(?::(\d{1,10}))?(?:, [A-Za-z ]{1,40}){0,2}$/.exec(location);
  if (match === null) return null;
  const path = location.slice(0, match.index);
  if (!/[^\d\s:]/.test(path)) return null;
  const [, line, column] = match;
  const place = { path, line: Number(line), column: column === undefined ? null : Number(column) };
  const isCount = (value: number) => value >= 1 && value <= LARGEST;
  if (!isCount(place.line)) return null;
  if (place.column !== null && !isCount(place.column)) place.column = null;
  return place;
}
