import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { currentAddress, onAddress, setAddress } from '../shared/address.ts';
import type { Keys } from '../shared/help.tsx';
import { onKeys } from '../shared/keys.ts';
import { Detail } from './detail.tsx';
import { Filters } from './filters.tsx';
import { groups, type Item, matching, NO_FILTER, type ReportData } from './items.ts';
import { Overview } from './overview.tsx';
import { essenceOf } from './story.ts';
import { ViolationList } from './violation-list.tsx';

export const REPORT_KEYS: Keys = [
  ['↓ j', 'next step of the interleaving'],
  ['↑ k', 'previous step'],
  ['Home End', 'first and last step'],
  ['n p', 'next and previous violation'],
  ['/', 'search'],
  ['Esc', 'back to the list'],
  ['t', 'light or dark'],
  ['?', 'this help'],
];

/** As in style/narrow.css. */
const NARROW = '(max-width: 760px)';

interface Properties {
  data: ReportData;
  onShowInTrace: ((event: number) => void) | null;
}

/** The list of violations, and the one that was chosen. */
export function Report({ data, onShowInTrace }: Properties) {
  const { items, results, fixed, runs } = data;
  const [filter, setFilter] = useState(NO_FILTER);
  const [selected, setSelected] = useState<Item | null>(() => fromAddress(items) ?? firstShown(items));
  /** What a link or a key led to: the list opens the group that it is in. */
  const [linked, setLinked] = useState(() => {
    const item = fromAddress(items);
    return item === null ? null : { item };
  });
  const [step, setStep] = useState(() => startOf(selected));
  const [steps, setSteps] = useState(0);
  /** Which of the two a narrow screen shows. */
  const [isOpen, setOpen] = useState(() => fromAddress(items) !== null || items.length === 0);
  const found = useMemo(() => matching(items, filter), [items, filter]);
  const shownGroups = useMemo(() => groups(found), [found]);
  const order = useMemo(() => shownGroups.flatMap((group) => group.items), [shownGroups]);

  const select = (item: Item | null) => {
    setSelected(item);
    setStep(startOf(item));
    setAddress(item === null ? null : { kind: 'violation', number: item.index + 1 });
  };
  const open = (item: Item | null) => {
    select(item);
    setOpen(true);
    // Where it takes the place of the list, the reader goes along.
    if (matchMedia(NARROW).matches) focusOn('.content h2');
  };
  const back = () => {
    setOpen(false);
    focusOn('.violations');
  };
  const move = (by: number) => {
    const at = selected === null ? -1 : order.indexOf(selected);
    const next = order[at < 0 ? 0 : Math.max(0, Math.min(order.length - 1, at + by))];
    if (next === undefined) return;
    open(next);
    setLinked({ item: next });
  };
  useLayoutEffect(() => {
    // What a filter hides is not left on the screen.
    if (selected !== null && found.length > 0 && !found.includes(selected)) select(order[0]);
  }, [found]);
  useEffect(() => {
    return onAddress(() => {
      const item = fromAddress(items);
      if (item === null) return;
      // A link leads to its violation, whatever the list is limited to.
      setFilter(NO_FILTER);
      open(item);
      setLinked({ item });
    });
  }, [items]);
  // At once, as keys may follow each other faster than the screen is drawn.
  useLayoutEffect(() =>
    onKeys((key) => {
      switch (key) {
        case 'j':
        case 'ArrowDown':
          setStep(Math.min(steps - 1, step + 1));
          return true;
        case 'k':
        case 'ArrowUp':
          setStep(Math.max(0, step - 1));
          return true;
        case 'Home':
          setStep(0);
          return true;
        case 'End':
          setStep(Math.max(0, steps - 1));
          return true;
        case 'n':
          move(1);
          return true;
        case 'p':
          move(-1);
          return true;
        case '/':
          setOpen(false);
          document.getElementById('search')?.focus();
          return true;
        case 'Escape':
          back();
          return true;
        default:
          return false;
      }
    }),
  );

  return (
    <main class={isOpen ? 'report opened' : 'report'}>
      <nav class="side" aria-label="Violations">
        {items.length > 0 && (
          <Filters items={items} found={found.length} filter={filter} setFilter={setFilter} />
        )}
        {found.length > 0 ? (
          <ViolationList
            groups={shownGroups}
            selected={selected}
            linked={linked}
            onSelect={select}
            onOpen={open}
          />
        ) : (
          <p class="remark">{items.length === 0 ? 'No violations.' : 'Nothing matches.'}</p>
        )}
        <button
          type="button"
          class="summary-link"
          aria-pressed={selected === null}
          onClick={() => open(null)}
        >
          What was checked
        </button>
      </nav>
      <div class="content">
        <button type="button" class="back" onClick={back}>
          ← All violations
        </button>
        {selected === null ? (
          <Overview results={results} fixed={fixed} runs={runs} />
        ) : (
          <Detail
            key={selected.index}
            item={selected}
            step={step}
            setStep={setStep}
            onStory={setSteps}
            onShowInTrace={onShowInTrace}
          />
        )}
      </div>
    </main>
  );
}

/** Once it is on the screen. */
function focusOn(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}

function firstShown(items: readonly Item[]): Item | null {
  return groups(items)[0]?.items[0] ?? null;
}

/** A link to a page may name one of its violations. */
function fromAddress(items: readonly Item[]): Item | null {
  const address = currentAddress();
  return address?.kind === 'violation' ? (items[address.number - 1] ?? null) : null;
}

/** The step to begin with: where the story of the pattern does. */
function startOf(item: Item | null): number {
  if (item === null) return 0;
  return Math.max(
    0,
    essenceOf(item.violation).steps.findIndex(({ part }) => part === 'first'),
  );
}
