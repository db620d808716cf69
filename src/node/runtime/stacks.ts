import type { Activation } from '../core/activation.ts';
import type { Sites } from './sites.ts';

/** One line of a stack. */
export interface StackFrame {
  /** The label of the activation; null outside every async function. */
  label: string | null;
  location: string | null;
}

/** Longer stacks are cut: deep recursion says nothing more. */
const DEEPEST = 20;

/** Where the activation was, innermost first: the site itself, then the `await`s that lead there. */
export function stackOf(sites: Sites, activation: Activation | null, site: number): StackFrame[] {
  const frames: StackFrame[] = [];
  let location = sites.location(site);
  for (let at = activation; at !== null && frames.length < DEEPEST; at = at.caller) {
    if (!at.isBlock) continue;
    frames.push({ label: sites.text(at.site), location });
    location = sites.location(at.calledAt) ?? sites.location(at.site);
  }
  if (frames.length === 0) frames.push({ label: null, location });
  return frames;
}
