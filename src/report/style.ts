/** Emphasis for a terminal; each leaves the text as it is where colour is off. */
export interface Style {
  bold(text: string): string;
  faint(text: string): string;
  /** For what is wrong. */
  bad(text: string): string;
  /** For what may be wrong. */
  doubtful(text: string): string;
  /** For what is right. */
  good(text: string): string;
}

const asIs = (text: string) => text;

export const PLAIN: Style = { bold: asIs, faint: asIs, bad: asIs, doubtful: asIs, good: asIs };

export const COLOURED: Style = {
  bold: between(1, 22),
  faint: between(2, 22),
  bad: between(31, 39),
  doubtful: between(33, 39),
  good: between(32, 39),
};

/** An ANSI sequence that switches something on, and the one that switches it off again. */
function between(on: number, off: number): (text: string) => string {
  return (text) => `\x1b[${on}m${text}\x1b[${off}m`;
}
