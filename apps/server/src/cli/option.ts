/** Converts command options for the command line library. */
import { Option } from 'commander';
import type { CommandOption } from '@sluice/registry';

/** Returns the option object of the library. Built-in options already have this type. */
export function optionOf(option: CommandOption): Option {
  if (option instanceof Option) return option;
  const made = new Option(option.flags, option.description);
  return option.parseArg === undefined ? made : made.argParser(option.parseArg);
}
