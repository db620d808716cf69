import { useMemo } from 'preact/hooks';
import { counted, grouped } from '../../src/report/layout.ts';
import { patternWords } from '../../src/report/violation-text.ts';
import { FACETS, type Facet, type Filter, facetOf, type Item, NO_FILTER } from './items.ts';

interface Properties {
  items: readonly Item[];
  found: number;
  filter: Filter;
  setFilter: (filter: Filter) => void;
}

/** What to look for and what to leave out of the list; a facet with nothing to choose from is not offered. */
export function Filters({ items, found, filter, setFilter }: Properties) {
  const facets = useMemo(() => FACETS.map((facet) => ({ facet, values: valuesOf(items, facet) })), [items]);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return (
    <search class="filters">
      <label class="search">
        <span class="sr-only">Search violations</span>
        <input
          type="search"
          id="search"
          placeholder="Search blocks, variables, places   /"
          value={filter.search}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            // The words stay: browsers would take them away.
            event.preventDefault();
            event.currentTarget.blur();
            document.querySelector<HTMLElement>('.violations')?.focus();
          }}
          onInput={(event) => setFilter({ ...filter, search: event.currentTarget.value })}
        />
      </label>
      <div class="facets">
        {facets
          .filter(({ facet, values }) => values.length > 1 || filter[facet] !== '')
          .map(({ facet, values }) => (
            <label key={facet}>
              <span class="sr-only">{facet}</span>
              <select
                value={filter[facet]}
                class={filter[facet] === '' ? '' : 'chosen'}
                onChange={(event) => setFilter({ ...filter, [facet]: event.currentTarget.value })}
              >
                <option value="">{ALL[facet]}</option>
                {values.map(([value, count]) => (
                  <option key={value} value={value}>
                    {facet === 'pattern' ? patternWords(value) : value} ({grouped(count)})
                  </option>
                ))}
              </select>
            </label>
          ))}
      </div>
      <p class="found" role="status">
        {isFiltered
          ? `${grouped(found)} of ${counted(items.length, 'violation')}`
          : counted(items.length, 'violation')}
        {isFiltered && (
          <button type="button" class="plain" onClick={() => setFilter(NO_FILTER)}>
            Clear
          </button>
        )}
      </p>
    </search>
  );
}

const ALL: Readonly<Record<Facet, string>> = {
  severity: 'Any severity',
  pattern: 'Any pattern',
  kind: 'Any kind',
  analysis: 'Any analysis',
  trace: 'Any trace',
};

const MOST_VALUES = 500;

function valuesOf(items: readonly Item[], facet: Facet): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) {
    const value = facetOf(item, facet);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST_VALUES);
}
