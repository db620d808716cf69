import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { PageViolation } from '../../src/report/html-data.ts';
import { grouped } from '../../src/report/layout.ts';
import { patternWords } from '../../src/report/violation-text.ts';
import { type Reveal, VirtualRows } from '../shared/virtual-rows.tsx';
import type { Group, Item } from './items.ts';

const ROW = 48;
const SHORT = 12;

type Row =
  | { group: Group; isOpen: boolean; position: number }
  | { group: Group; item: Item; position: number };

interface Properties {
  groups: readonly Group[];
  selected: Item | null;
  /** Shown even if its group is closed, which it opens; a new object shows it again. */
  linked: { item: Item } | null;
  onSelect: (item: Item) => void;
  onOpen: (item: Item) => void;
}

/** The violated blocks with their violations below them: a tree of two levels. */
export function ViolationList({ groups, selected, linked, onSelect, onOpen }: Properties) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set(isShort(groups) ? groups.map(keyOf) : []),
  );
  const [cursor, setCursor] = useState(0);
  const [reveal, setReveal] = useState<Reveal | null>(null);
  const rows = useMemo(() => flattened(groups, opened), [groups, opened]);
  useLayoutEffect(() => {
    const row = rows.findIndex((row) => isSelected(row, selected));
    if (row < 0) return;
    setCursor(row);
    setReveal({ row, at: 'nearest' });
    // Not when a group is opened or closed, which leaves the cursor where it is.
  }, [selected, groups]);
  useLayoutEffect(() => {
    const group = linked === null ? undefined : groups.find(({ items }) => items.includes(linked.item));
    if (linked === null || group === undefined) return;
    const after = new Set(opened).add(keyOf(group));
    const row = flattened(groups, after).findIndex((row) => isSelected(row, linked.item));
    setOpened(after);
    setCursor(row);
    setReveal({ row, at: 'middle' });
  }, [linked]);
  const at = Math.min(cursor, rows.length - 1);

  const toggle = (group: Group, isOpen: boolean) =>
    setOpened((before) => {
      const after = new Set(before);
      if (isOpen) after.add(keyOf(group));
      else after.delete(keyOf(group));
      return after;
    });
  const choose = (index: number, open: boolean) => {
    const row = rows[index];
    if (row === undefined) return;
    setCursor(index);
    setReveal({ row: index, at: 'nearest' });
    const item = 'item' in row ? row.item : row.group.items.length === 1 || open ? row.group.items[0] : null;
    if (item === null) return;
    if (open) onOpen(item);
    else onSelect(item);
  };
  const click = (index: number) => {
    const row = rows[index];
    const isGroup = !('item' in row) && row.group.items.length > 1;
    if (isGroup) toggle(row.group, !row.isOpen);
    choose(index, !isGroup);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    if (row === undefined) return;
    const isGroup = !('item' in row);
    const groupRow = () => rows.findIndex((candidate) => candidate.group === row.group);
    switch (event.key) {
      case 'ArrowDown':
        choose(Math.min(rows.length - 1, at + 1), false);
        break;
      case 'ArrowUp':
        choose(Math.max(0, at - 1), false);
        break;
      case 'Home':
        choose(0, false);
        break;
      case 'End':
        choose(rows.length - 1, false);
        break;
      case 'ArrowRight':
        if (isGroup && row.group.items.length > 1) toggle(row.group, true);
        break;
      case 'ArrowLeft':
        if (isGroup) toggle(row.group, false);
        else choose(groupRow(), false);
        break;
      case 'Enter':
      case ' ':
        choose(at, true);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <VirtualRows
      class="violations"
      role="tree"
      aria-label="Violated blocks"
      aria-activedescendant={rows.length === 0 ? undefined : `row-${at}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onRow={click}
      count={rows.length}
      rowHeight={ROW}
      reveal={reveal}
    >
      {(first, last) =>
        rows.slice(first, last).map((row, i) => {
          const index = first + i;
          const common = { index, isSelected: isSelected(row, selected), isCursor: index === at };
          return 'item' in row ? (
            <ViolationRow {...common} {...row} key={index} />
          ) : (
            <GroupRow {...common} {...row} key={index} of={groups.length} />
          );
        })
      }
    </VirtualRows>
  );
}

interface RowProperties {
  index: number;
  position: number;
  group: Group;
  isSelected: boolean;
  isCursor: boolean;
}

function ViolationRow(properties: RowProperties & { item: Item }) {
  const { index, position, group, item, isSelected, isCursor } = properties;
  const { severity, event, thread } = item.violation;
  return (
    <div
      id={`row-${index}`}
      class={`row violation-row${isCursor ? ' cursor' : ''}`}
      role="treeitem"
      tabIndex={-1}
      data-row={index}
      aria-level={2}
      aria-posinset={position}
      aria-setsize={group.items.length}
      aria-selected={isSelected}
      style={{ height: `${ROW}px` }}
    >
      <span class={`dot ${severity}`} />
      <span class="row-text">
        <span class="row-name">{whatHappened(item.violation)}</span>
        <span class="faint">
          event {event}, <bdi>{thread}</bdi>
        </span>
      </span>
    </div>
  );
}

function GroupRow(properties: RowProperties & { isOpen: boolean; of: number }) {
  const { index, position, group, isOpen, of, isSelected, isCursor } = properties;
  const { label, isBlock, severity, items } = group;
  const isSingle = items.length === 1;
  return (
    <div
      id={`row-${index}`}
      class={`row group-row${isCursor ? ' cursor' : ''}`}
      role="treeitem"
      tabIndex={-1}
      data-row={index}
      aria-level={1}
      aria-posinset={position}
      aria-setsize={of}
      aria-expanded={isSingle ? undefined : isOpen}
      aria-selected={isSelected}
      style={{ height: `${ROW}px` }}
    >
      <span class={`dot ${severity}`} role="img" aria-label={severity} />
      <span class="row-text">
        <bdi class={isBlock ? 'row-name code-name' : 'row-name'} title={label}>
          {label === '' ? '(no label)' : label}
        </bdi>
        <span class="faint">{groupWords(group)}</span>
      </span>
      <span class="badge">{grouped(items.length)}</span>
      {!isSingle && <span class="chevron" aria-hidden="true" />}
    </div>
  );
}

function whatHappened({ pattern, kind, interference }: PageViolation): string {
  const name = patternWords(pattern ?? kind);
  return interference === null ? name : `${name} of ${interference.between.operand}`;
}

function groupWords({ items }: Group): string {
  const kinds = [...new Set(items.map(({ violation }) => violation.pattern ?? violation.kind))];
  if (items.length === 1) return whatHappened(items[0].violation);
  const others = kinds.length - 1;
  const more =
    others === 0 ? '' : others === 1 ? ` and ${patternWords(kinds[1])}` : ` and ${others} other kinds`;
  return `${patternWords(kinds[0])}${more}`;
}

/** Whether everything can be seen at once. */
function isShort(groups: readonly Group[]): boolean {
  return groups.reduce((sum, { items }) => sum + 1 + items.length, 0) <= SHORT;
}

function keyOf({ label, isBlock }: Group): string {
  return `${isBlock} ${label}`;
}

function flattened(groups: readonly Group[], opened: ReadonlySet<string>): Row[] {
  return groups.flatMap((group, i): Row[] => {
    const isOpen = opened.has(keyOf(group)) && group.items.length > 1;
    const head: Row = { group, isOpen, position: i + 1 };
    return isOpen ? [head, ...group.items.map((item, j) => ({ group, item, position: j + 1 }))] : [head];
  });
}

function isSelected(row: Row, selected: Item | null): boolean {
  if (selected === null) return false;
  // A closed group stands for what is in it.
  return 'item' in row ? row.item === selected : !row.isOpen && row.group.items.includes(selected);
}
