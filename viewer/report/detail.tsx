import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { adviceFor } from '../../src/report/advice/index.ts';
import { threadWord, valuesSentence } from '../../src/report/event-words.ts';
import { counted, grouped } from '../../src/report/layout.ts';
import { titleOf } from '../../src/report/program-runs.ts';
import { headline, patternWords } from '../../src/report/violation-text.ts';
import { PlaceLink } from '../shared/place.tsx';
import { Actions } from './actions.tsx';
import { CodeFrame, hasSource } from './code-frame.tsx';
import { Diagram, relation, ValueOf } from './diagram.tsx';
import { Graph } from './graph.tsx';
import type { Item } from './items.ts';
import { Proof } from './proof.tsx';
import { essenceOf, type Step, type Story, scheduleOf, storyOf } from './story.ts';

interface Properties {
  item: Item;
  step: number;
  setStep: (row: number) => void;
  onStory: (steps: number) => void;
  /** Only where the page holds the trace itself. */
  onShowInTrace: ((event: number) => void) | null;
}

/** Everything about one violation: what is wrong, and the interleaving that proves it. */
export function Detail({ item, step, setStep, onStory, onShowInTrace }: Properties) {
  const { violation, result } = item;
  const { confirmation, proof } = violation;
  // What it costs is what people want to know first.
  const isProved = proof?.verdict === 'harmful';
  const [isWhole, setWhole] = useState(false);
  const whole = useMemo(() => storyOf(violation), [violation]);
  const essence = useMemo(() => essenceOf(violation), [violation]);
  const observed = isWhole ? whole : essence;
  const hidden = whole.steps.length - essence.steps.length;
  const schedule = useMemo(() => scheduleOf(violation), [violation]);
  const [isScheduled, setScheduled] = useState(false);
  useEffect(() => {
    setScheduled(false);
    setWhole(false);
  }, [violation]);
  const story = isScheduled && schedule !== null ? schedule : observed;
  useLayoutEffect(() => onStory(story.steps.length), [story]);
  const current = Math.min(step, story.steps.length - 1);
  const word = threadWord(result.origin);
  const values = valuesSentence(violation);
  const { why, fix, sketch } = adviceFor(violation, result.origin);
  const showWhole = (isAll: boolean) => {
    const event = story.steps[current]?.event;
    const next = isAll ? whole : essence;
    setWhole(isAll);
    // The same event stays the current one.
    setStep(
      Math.max(
        0,
        next.steps.findIndex((candidate) => candidate.event === event),
      ),
    );
  };
  const goTo = (event: number) => {
    const row = story.steps.findIndex((candidate) => candidate.event === event);
    if (row >= 0) setStep(row);
  };

  return (
    <article class="detail" aria-labelledby="violation-title">
      <header class="violation-head">
        <p class="tags">
          <span class={`tag ${violation.severity}`}>{violation.severity}</span>
          {violation.pattern !== null && <span class="tag">{patternWords(violation.pattern)}</span>}
          <span class="tag quiet">{violation.kind}</span>
          <span class="tag quiet">{result.analysis}</span>
          <span class="tag quiet">
            <bdi>{titleOf(result)}</bdi>
          </span>
        </p>
        <h2 id="violation-title" tabIndex={-1}>
          {sentenceCase(headline(violation, result.origin))}
        </h2>
        {isProved && <Proof proof={proof} />}
        {violation.message !== '' && <p class="message">{violation.message}</p>}
        {values !== null && <p class="message">{values}</p>}
        {violation.because !== undefined && (
          <p class="hint">
            <b>{sentenceCase(violation.severity)} because</b> {violation.because.sentence} (
            <code>{violation.because.rule}</code>)
          </p>
        )}
        {why !== null && (
          <p class="hint">
            <b>Why</b> {why}
          </p>
        )}
        <p class="hint">
          <b>What to do</b> {fix}
        </p>
        {sketch.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys
          <pre class="sketch" tabIndex={0}>
            <code>{sketch.join('\n')}</code>
          </pre>
        )}
        {result.schedule !== undefined && (
          <p class="hint">
            <b>To run it in this order again</b> <code>{result.schedule.replay}</code>
          </p>
        )}
        {proof !== undefined && !isProved && <Proof proof={proof} />}
        {confirmation !== undefined && <p class="message">{sentenceCase(confirmation.message)}</p>}
        <Actions
          key={item.index}
          item={item}
          location={story.steps[current]?.location ?? null}
          onShowInTrace={
            onShowInTrace === null
              ? null
              : () => onShowInTrace(story.steps[current]?.event ?? violation.event)
          }
        />
      </header>
      {story.steps.length === 0 ? (
        <p class="remark">
          Noticed at event {grouped(violation.event)}. There are so many violations that this one was not
          looked into; check the trace with <code>--only</code> for its block to see how it came about.
        </p>
      ) : (
        <div class="panels">
          <section class="panel lanes" aria-label="Interleaving">
            <div class="panel-head">
              <h3>{schedule === null ? 'Interleaving' : ''}</h3>
              {schedule !== null && (
                <fieldset class="choice" aria-label="Which interleaving">
                  <button type="button" aria-pressed={!isScheduled} onClick={() => setScheduled(false)}>
                    Observed
                  </button>
                  <button type="button" aria-pressed={isScheduled} onClick={() => setScheduled(true)}>
                    Schedule that shows it
                  </button>
                </fieldset>
              )}
              <Stepper current={current} count={story.steps.length} setStep={setStep} />
            </div>
            <Diagram
              story={story}
              word={word}
              current={current}
              onStep={setStep}
              label={`Interleaving of ${counted(story.steps.length, 'event')} in ${counted(story.lanes.length, word)}`}
            />
            {hidden > 0 && !isScheduled && (
              <p class="more-steps">
                <button
                  type="button"
                  class="plain"
                  aria-pressed={isWhole}
                  onClick={() => showWhole(!isWhole)}
                >
                  {isWhole
                    ? 'Show only what matters'
                    : `Show how it came about: ${counted(hidden, 'more event')}`}
                </button>
              </p>
            )}
            <Legend story={story} />
          </section>
          <div class="aside">
            <section class="panel" aria-label="Current step">
              <CurrentStep story={story} row={current} item={item} goTo={goTo} />
            </section>
            {violation.cycle.length > 0 && (
              <section class="panel" aria-label="Transactions">
                <div class="panel-head">
                  <h3>Each must come before the next</h3>
                </div>
                <Graph violation={violation} origin={result.origin} onEvent={goTo} />
              </section>
            )}
          </div>
        </div>
      )}
    </article>
  );
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function Stepper({
  current,
  count,
  setStep,
}: {
  current: number;
  count: number;
  setStep: (row: number) => void;
}) {
  return (
    <fieldset class="stepper" aria-label="Steps">
      <button
        type="button"
        aria-label="Previous step"
        disabled={current <= 0}
        onClick={() => setStep(current - 1)}
      >
        ↑
      </button>
      <span class="count">
        {grouped(current + 1)} / {grouped(count)}
      </span>
      <button
        type="button"
        aria-label="Next step"
        disabled={current >= count - 1}
        onClick={() => setStep(current + 1)}
      >
        ↓
      </button>
    </fieldset>
  );
}

function Legend({ story }: { story: Story }) {
  const { edges, boxes } = story;
  const some = (test: (edge: Story['edges'][number]) => boolean) => edges.some(test);
  return (
    <ul class="legend" aria-label="Legend">
      {boxes.some(({ isViolated }) => isViolated) && (
        <li>
          <span class="swatch violated" /> block that was broken
        </li>
      )}
      {some(({ kind }) => kind === 'pattern') && (
        <li>
          <span class="swatch pattern" /> conflict that breaks it
        </li>
      )}
      {some(({ kind }) => kind === 'cycle') && (
        <li>
          <span class="swatch cycle" /> conflict on the cycle
        </li>
      )}
      {some(({ isClosing }) => isClosing) && (
        <li>
          <span class="swatch closing" /> closes the cycle
        </li>
      )}
    </ul>
  );
}

interface StepProperties {
  story: Story;
  row: number;
  item: Item;
  goTo: (event: number) => void;
}

const PARTS = {
  first: 'The first of the two accesses that belong together',
  between: 'What came between them',
  last: 'The second of the two, as if nothing had happened',
};

/** What happens at the current step, where in the source, and what it conflicts with. */
function CurrentStep({ story: { steps, edges }, row, item, goTo }: StepProperties) {
  const { sources, origin } = item.result;
  const awaits = item.violation.facts?.awaits ?? [];
  const word = threadWord(origin);
  const step: Step = steps[row];
  const conflicts = edges.filter(({ from, to }) => from === row || to === row).slice(0, 8);
  const pattern = steps.filter(({ part, location }) => part !== null && hasSource(sources, location));
  const placed = pattern.includes(step) ? pattern : [step, ...pattern];
  return (
    <div class="current-step">
      <div class="panel-head">
        <h3>
          Event {grouped(step.event)}, {word} <bdi>{step.thread}</bdi>
        </h3>
      </div>
      <div aria-live="polite" aria-atomic="true">
        <p class="did">
          <span class={`verb ${step.look}`}>{step.verb}</span> <bdi class="operand">{step.operand}</bdi>
          {step.value !== null && <ValueOf value={step.value} />}
          {step.location !== null && (
            <>
              {' '}
              <span class="faint at">
                at <PlaceLink location={step.location} isProgram={origin === 'program'} />
              </span>
            </>
          )}
        </p>
        {step.part !== null && <p class={`part-words ${step.part}`}>{PARTS[step.part]}</p>}
      </div>
      {conflicts.length > 0 && (
        <ul class="relations">
          {conflicts.map((edge) => {
            const other = steps[edge.from === row ? edge.to : edge.from];
            return (
              <li key={`${edge.from} ${edge.to}`}>
                <button type="button" class="plain" onClick={() => goTo(other.event)}>
                  {relation(edge, row, steps, word)}
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {placed.map((one) => (
        <CodeFrame
          key={one.event}
          sources={sources}
          location={one.location}
          title={`${one.thread} ${one.verb} ${one.operand}`}
          isCurrent={one === step}
          awaits={awaits}
          isProgram={origin === 'program'}
        />
      ))}
    </div>
  );
}
