/*
 * `tracestate` of W3C Trace Context: up to 32 members of different vendors, the latest first, `vendor=value` each. A call of another
 * process carries its id there, in a member of our own.
 */

export const TRACESTATE = 'tracestate';

const KEY = 'trackside';

/** By the recommendation. */
const MOST_MEMBERS = 32;

const MEMBER = new RegExp(`^${KEY}=([\\w.-]{1,64})$`);

/** The header with our member in front; what others have put there stays, but for the oldest where there is no room. */
export function withCall(header: string | undefined, id: string): string {
  const others = membersOf(header ?? '').filter((member) => !member.startsWith(`${KEY}=`));
  return [`${KEY}=${id}`, ...others.slice(0, MOST_MEMBERS - 1)].join(',');
}

/**
 * Takes our member out of names and values as they came, so that the program sees what it would have seen; the id in it, or null if
 * there is none.
 */
export function takeCall(rawHeaders: string[]): string | null {
  let id: string | null = null;
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2) {
    if (rawHeaders[i].toLowerCase() !== TRACESTATE) continue;
    const members = membersOf(rawHeaders[i + 1]);
    const others = members.filter((member) => !MEMBER.test(member));
    if (others.length === members.length) continue;
    id = members.map((member) => MEMBER.exec(member)?.[1]).find((found) => found !== undefined) ?? null;
    if (others.length === 0) rawHeaders.splice(i, 2);
    else rawHeaders[i + 1] = others.join(',');
  }
  return id;
}

function membersOf(header: string): string[] {
  return header
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
}

/** Whether a host is this machine, or has a name that only means something nearby, as containers have: nobody else is told of calls. */
export function isNear(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return /^127(?:\.\d{1,3}){3}$/.test(name) || name === '::1' || /^[a-z][\w-]*$/.test(name);
}
