/** Converts command options to the format of the command-line library. */
import { Option } from 'commander';
import type { CommandOption } from '@sluice/registry';

/** Returns an option in the library's format. Built-in options already have this format. */
export function optionOf(option: CommandOption): Option {
  if (option instanceof Option) return option;
  const made = new Option(option.flags, option.description);
  return option.parseArg === undefined ? made : made.argParser(option.parseArg);
}
