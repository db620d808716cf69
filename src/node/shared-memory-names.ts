/** In front of what an element of shared memory is called. */
export const SHARED = 'shared ';

/** In front of the number of a memory, for those of its bytes that have no other name. */
export const MEMORY = 'SharedArrayBuffer#';

/** Whether a variable of a trace is in memory that threads share. */
export function isSharedMemory(variable: string): boolean {
  return variable.startsWith(SHARED) || variable.startsWith(MEMORY);
}
