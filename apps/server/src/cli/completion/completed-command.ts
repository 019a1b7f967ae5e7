/** Commands in the form that completion scripts require. Subcommands are separate entries. */
import type { CommandSpec } from '@sluice/registry';
import { optionOf } from '../option.ts';

export interface CompletedCommand {
  /** `run`, `storage export`. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** Completions for the first word after the command: subcommands or argument values. */
  readonly words: readonly string[];
  /** True if the first word after the command can be a file name. */
  readonly takesFile: boolean;
}

export interface CompletedOption {
  /** Flags of the option: `--config`, `-c`, or both. */
  readonly flags: readonly string[];
  readonly help: string;
  readonly takesValue: boolean;
  /** True if the option's value is a file or directory. */
  readonly takesFile: boolean;
}

export function completedCommands(commands: readonly CommandSpec[], above = ''): CompletedCommand[] {
  return commands.flatMap(({ name, summary, options, argument, subcommands = [] }) => [
    {
      name: above + name,
      summary,
      options: options.map(optionOf).map(({ flags, long, short, description, required }) => ({
        flags: [long, short].filter((flag) => flag != null),
        help: description,
        takesValue: required,
        takesFile: /<(?:file|directory|package)>/.test(flags),
      })),
      words: [...subcommands.map((inner) => inner.name), ...(argument?.values ?? [])],
      takesFile: argument !== undefined && argument.values.length === 0,
    },
    ...completedCommands(subcommands, `${above}${name} `),
  ]);
}

/** Returns the words that can follow a command: options, subcommands and argument values. */
export function wordsOf({ options, words }: CompletedCommand): string[] {
  return [...words, ...options.flatMap(({ flags }) => flags), '--help'];
}

/** Reports whether a command is a subcommand of another command. */
export function isInner({ name }: CompletedCommand): boolean {
  return name.includes(' ');
}
