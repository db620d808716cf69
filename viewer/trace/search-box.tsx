import { useMemo, useState } from 'preact/hooks';
import { grouped } from '../../src/report/layout.ts';
import { TABLES } from '../../src/view/name-index.ts';
import type { Target, TraceSource } from './source.ts';

const MOST = 12;
const KINDS = TABLES.map((table) => table.slice(0, -1));

interface Properties {
  source: TraceSource;
  onTarget: (target: Target) => void;
  onEvent: (event: number) => void;
}

type Suggestion = { event: number } | Target;

/** Finds names and events: a field with suggestions below it. */
export function SearchBox({ source, onTarget, onEvent }: Properties) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const suggestions = useMemo((): Suggestion[] => {
    const wanted = text.trim();
    if (wanted === '') return [];
    const number = Number(wanted.replace(/[,_\s]/g, ''));
    const isEvent = Number.isInteger(number) && number >= source.header.first && number <= source.last;
    return [...(isEvent ? [{ event: number }] : []), ...source.matches(wanted, MOST)];
  }, [text]);
  const choose = (suggestion: Suggestion | undefined) => {
    if (suggestion === undefined) return;
    setOpen(false);
    if ('event' in suggestion) onEvent(suggestion.event);
    else onTarget(suggestion);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(suggestions.length - 1, at + 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
    else if (event.key === 'Enter') choose(suggestions[at]);
    else if (event.key === 'Escape') {
      setOpen(false);
      (event.currentTarget as HTMLElement).blur();
    } else return;
    event.preventDefault();
  };
  const isShown = isOpen && text.trim() !== '';
  return (
    <search class="search-box">
      <input
        id="search"
        type="text"
        role="combobox"
        aria-label="Search threads, variables, locks, labels, or go to an event"
        aria-expanded={isShown}
        aria-controls="suggestions"
        aria-activedescendant={isShown && suggestions.length > 0 ? `suggestion-${at}` : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        placeholder="Find a name, or an event by its number   /"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {isShown && (
        <div id="suggestions" class="suggestions" role="listbox" tabIndex={-1} aria-label="Suggestions">
          {suggestions.length === 0 && <p class="remark">Nothing has such a name.</p>}
          {suggestions.map((suggestion, i) => (
            <div
              key={i}
              id={`suggestion-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === at}
              // Before the field loses the focus, and the list with it.
              onMouseDown={() => choose(suggestion)}
            >
              {'event' in suggestion ? (
                <span>go to event {grouped(suggestion.event)}</span>
              ) : (
                <>
                  <bdi class="suggested">{source.name(suggestion)}</bdi>{' '}
                  <span class="faint">
                    {KINDS[suggestion.table]}, {grouped(source.count(suggestion))}
                  </span>
                </>
              )}
            </div>
          ))}
        </div>
      )}
    </search>
  );
}
