import { useEffect, useState } from 'preact/hooks';
import { verbOf } from '../../src/report/event-words.ts';
import { grouped } from '../../src/report/layout.ts';
import { headline } from '../../src/report/violation-text.ts';
import { TABLE_OF_OP } from '../../src/view/name-index.ts';
import type { Item } from '../report/items.ts';
import { lookOf, placeWords } from '../shared/words.ts';
import { type Conflicts, conflictsOf } from './conflicts.ts';
import { type Block, mnemonic, type Target, type TraceEvent, type TraceSource } from './source.ts';

interface Properties {
  source: TraceSource;
  selected: number;
  items: readonly Item[];
  onEvent: (event: number) => void;
  onTarget: (target: Target) => void;
  onConflicts: (conflicts: Conflicts) => void;
  onClose: () => void;
}

const MOST_ITEMS = 5;

/** What is known about one event: where it stands, and what it conflicts with. */
export function EventPanel({ source, selected, items, onEvent, onTarget, onConflicts, onClose }: Properties) {
  const [event, setEvent] = useState<TraceEvent | null>(null);
  const [around, setAround] = useState<Block[]>([]);
  const [conflicts, setConflicts] = useState<Conflicts | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const look = async () => {
      const chunk = await source.load(source.chunkOf(selected));
      const found = await source.event(selected);
      if (!isCurrent) return;
      setEvent(found);
      setConflicts(null);
      setAround(
        chunk.blocks.filter(
          ({ thread, begin, end }) => thread === found.thread && begin <= selected && selected <= end,
        ),
      );
      const met = await conflictsOf(source, found);
      if (!isCurrent) return;
      setConflicts(met);
      onConflicts(met);
    };
    void look();
    return () => {
      isCurrent = false;
    };
  }, [selected, source]);
  // Its place is taken at once, so that the lanes do not move when it is filled.
  if (event === null) return <section class="event-panel" aria-label="Event" />;
  const word = mnemonic(event.op);
  const location = source.location(event.location);
  const target = { table: TABLE_OF_OP[event.op], id: event.operand };
  const link = (other: TraceEvent) => (
    <li key={other.event}>
      <button type="button" class="plain" onClick={() => onEvent(other.event)}>
        <span class="event-number">{grouped(other.event)}</span> <bdi>{source.thread(other.thread)}</bdi>{' '}
        {verbOf(mnemonic(other.op))} <bdi class="operand">{source.operand(other)}</bdi>
      </button>
    </li>
  );
  return (
    <section class="event-panel" aria-label="Event">
      <div class="panel-head">
        <h2>Event {grouped(event.event)}</h2>
        <button type="button" class="icon" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </div>
      <div class="event-body">
        <p class="did" aria-live="polite">
          <bdi>{source.thread(event.thread)}</bdi> <span class={`verb ${lookOf(word)}`}>{verbOf(word)}</span>{' '}
          <bdi class="operand">{source.operand(event)}</bdi>
          {location !== null && (
            <span class="faint">
              {' '}
              at <bdi>{placeWords(location)}</bdi>
            </span>
          )}
        </p>
        <p>
          <button type="button" onClick={() => onTarget(target)}>
            Find <bdi class="operand">{source.operand(event)}</bdi>
          </button>
        </p>
        {around.length > 0 && (
          <>
            <h3>In these blocks</h3>
            <ul>
              {around.map(({ label, begin }) => (
                <li key={begin}>
                  <button type="button" class="plain" onClick={() => onEvent(begin)}>
                    <span class="event-number">{grouped(begin)}</span>{' '}
                    <bdi class="operand">{source.label(label)}</bdi>
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
        {conflicts === null ? (
          <p class="faint">Looking for conflicts …</p>
        ) : (
          <>
            <h3>Conflicts before it</h3>
            {conflicts.before.length === 0 ? (
              <p class="faint">none nearby</p>
            ) : (
              <ul>{conflicts.before.map(link)}</ul>
            )}
            <h3>Conflicts after it</h3>
            {conflicts.after.length === 0 ? (
              <p class="faint">none nearby</p>
            ) : (
              <ul>{conflicts.after.map(link)}</ul>
            )}
          </>
        )}
        {items.length > 0 && (
          <>
            <h3>Part of</h3>
            <ul>
              {items.slice(0, MOST_ITEMS).map(({ index, violation }) => (
                <li key={index}>{headline(violation)}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}
