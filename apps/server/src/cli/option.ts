/** Options of commands, as the library of the command line has them. */
import { Option } from 'commander';
import type { CommandOption } from '@sluice/registry';

/** Makes the library's option. Ours are made by it already. */
export function optionOf(option: CommandOption): Option {
  if (option instanceof Option) return option;
  const made = new Option(option.flags, option.description);
  return option.parseArg === undefined ? made : made.argParser(option.parseArg);
}
