/** How the program ends; the same for every command. */
export const ExitCode = {
  /** Nothing was found at or above `--fail-on`. */
  ok: 0,
  found: 1,
  /** The command, its input or its environment was wrong; also a bug of ours. */
  wrong: 2,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The program will end with this code, unless it was to end with a worse one already. */
export function endWith(code: ExitCode): void {
  process.exitCode = Math.max(code, Number(process.exitCode ?? ExitCode.ok));
}

/** For help texts. */
export const EXIT_CODES = `Exit codes:
  0  nothing found at or above --fail-on
  1  violations found
  2  the command or its input was wrong
`;
