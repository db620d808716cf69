/** What the part of an address behind `#` may name: an event of the trace, or a violation by its number from 1. */
export interface Address {
  kind: 'event' | 'violation';
  number: number;
}

/** Null where it names nothing of the kind. */
export function currentAddress(): Address | null {
  const match = /^#(event|violation)-(\d+)$/.exec(location.hash);
  return match === null ? null : { kind: match[1] as Address['kind'], number: Number(match[2]) };
}

/** The address follows what is shown, without a step in the history for each. */
export function setAddress(address: Address | null): void {
  history.replaceState(null, '', address === null ? '#' : `#${address.kind}-${address.number}`);
}

/** Calls `act` when somebody follows a link in the open page, or edits its address. */
export function onAddress(act: (address: Address | null) => void): () => void {
  const follow = () => act(currentAddress());
  addEventListener('hashchange', follow);
  return () => removeEventListener('hashchange', follow);
}
