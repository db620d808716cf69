import { useContext, useState } from 'preact/hooks';
import { counted } from '../../src/report/layout.ts';
import { About, editorAddress } from '../shared/about.ts';
import { copied } from '../shared/copy.ts';
import { fileName, save } from '../shared/save.ts';
import type { Item } from './items.ts';
import { markdownOf } from './markdown.ts';

interface Properties {
  item: Item;
  /** Where the current step is. */
  location: string | null;
  onShowInTrace: (() => void) | null;
}

/** What can be done with a violation: pass it on, open it, keep its trace. */
export function Actions({ item, location: place, onShowInTrace }: Properties) {
  const about = useContext(About);
  const [said, setSaid] = useState('');
  const { violation, result } = item;
  const { confirmation, subtrace, block } = violation;
  const name = block?.label ?? violation.kind;
  const editor = result.origin === 'program' ? editorAddress(about, place) : null;
  const copy = async (text: string, what: string) =>
    setSaid((await copied(text)) ? `${what} copied` : 'The browser does not let this page copy');
  return (
    <div class="actions">
      {editor !== null && (
        <a class="button" href={editor}>
          Open in editor
        </a>
      )}
      <button type="button" onClick={() => copy(addressOf(item), 'Link')}>
        Copy link
      </button>
      <button type="button" onClick={() => copy(markdownOf(item, about), 'Markdown')}>
        Copy as Markdown
      </button>
      {subtrace !== undefined && (
        <button type="button" onClick={() => save(subtrace.trace, fileName(name, '.std'))}>
          Save the {subtrace.minimal ? 'smallest ' : ''}sub-trace ({counted(subtrace.events.length, 'event')})
        </button>
      )}
      {confirmation?.trace !== undefined && (
        <button
          type="button"
          onClick={() => save(confirmation.trace as string, fileName(name, '-schedule.std'))}
        >
          Save the schedule
        </button>
      )}
      {onShowInTrace !== null && (
        <button type="button" onClick={onShowInTrace}>
          Show in the trace
        </button>
      )}
      <span class="said" role="status">
        {said}
      </span>
    </div>
  );
}

/** Of the page, at this violation. */
function addressOf({ index }: Item): string {
  return `${location.href.replace(/#.*$/, '')}#violation-${index + 1}`;
}
