/**
 * Whether a read before a write, by their locations, is there to find out whether something is still so. `n += 1` reads what it writes, in
 * one line, and so may `made->next = first; first = made`, in two; a check has a line of its own before.
 */
export function isAnotherLook(read: string, write: string): boolean {
  const [, file, line] = /^(.*):(\d+)$/.exec(read) ?? [];
  return read !== write && `${file}:${Number(line) + 1}` !== write;
}
