import { displayWidth, duration, fittedPath, grouped } from '../report/layout.ts';
import { now } from '../trace/clock.ts';

/** What of a terminal the bar needs; `process.stderr` is one. */
export interface ProgressTerminal {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Work that is over sooner is not worth a bar. */
const PATIENCE = 1000;
const REDRAW = 100;
const ERASE_LINE = '\r\x1b[K';

/**
 * A line on a terminal that says how far the work is, with events per second and the time that remains.
 * Nothing appears for work of less than a second, nor anywhere that is not a terminal.
 */
export class Progress {
  readonly #terminal: ProgressTerminal;
  readonly #now: () => number;
  readonly #enabled: boolean;
  #title = '';
  #units = 'events';
  #started = 0;
  #nextDraw = 0;
  #drawn = false;

  /** Says nothing. To ask Node for a stream takes as long as to check a short trace. */
  static silent(): Progress {
    return new Progress({ write: () => undefined }, { quiet: true });
  }

  constructor(terminal: ProgressTerminal, options: { quiet: boolean; now?: () => number }) {
    this.#terminal = terminal;
    this.#now = options.now ?? now;
    this.#enabled = terminal.isTTY === true && !options.quiet;
  }

  /** Work on something new begins, of which so many units are done by and by. */
  start(title: string, units = 'events'): void {
    this.clear();
    this.#title = title;
    this.#units = units;
    this.#started = this.#now();
    this.#nextDraw = this.#started + PATIENCE;
  }

  /** To be called now and then, with bytes done and in all if that is known. */
  update(done: number, { position, total }: { position: number; total: number | null }): void {
    if (!this.#enabled) return;
    const now = this.#now();
    if (now < this.#nextDraw) return;
    this.#nextDraw = now + REDRAW;
    this.#drawn = true;
    this.#terminal.write(ERASE_LINE + this.#line(done, now - this.#started, position, total));
  }

  clear(): void {
    if (this.#drawn) this.#terminal.write(ERASE_LINE);
    this.#drawn = false;
  }

  #line(units: number, elapsed: number, position: number, total: number | null): string {
    const parts = [`${grouped(units)} ${this.#units}`, `${rate(units / (elapsed / 1000))} ${this.#units}/s`];
    if (total !== null && total > 0 && position > 0) {
      const part = Math.min(1, position / total);
      parts.push(`${Math.floor(part * 100)}%`, `${duration(elapsed / part - elapsed)} left`);
    }
    const figures = parts.join('  ');
    // One column is kept free, because a full line would wrap.
    const room = (this.#terminal.columns || 80) - displayWidth(figures) - 3;
    return room < 4 ? figures : `${fittedPath(this.#title, room)}  ${figures}`;
  }
}

function rate(perSecond: number): string {
  return perSecond >= 1e6 ? `${(perSecond / 1e6).toFixed(1)} M` : grouped(Math.round(perSecond));
}
