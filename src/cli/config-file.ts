import type { Command } from 'commander';
import { configIn } from '../node/config-file.ts';

/** Gives a command's options the values of the configuration file, where the command line is silent. */
export async function applyConfig(command: Command, folder: string): Promise<void> {
  for (const [name, value] of Object.entries(await configIn(folder))) {
    const option = command.options.find((candidate) => candidate.attributeName() === name);
    const source = command.getOptionValueSource(name);
    // An option that has no default, and is not given, has no source.
    if (option === undefined || (source !== undefined && source !== 'default')) continue;
    // The same checks as for the command line.
    const parse = option.parseArg as ((value: string, previous: unknown) => unknown) | undefined;
    const values = (Array.isArray(value) ? value : [value]).map(String);
    const parsed = values.reduce((previous, each) => parse?.(each, previous) ?? each, option.defaultValue);
    command.setOptionValueWithSource(name, parsed, 'config');
  }
}
