/** Commands as scripts for shells tell of them: those below others by both words. */
import type { CommandSpec } from '@sluice/registry';
import { optionOf } from '../option.ts';

/** A command that can be completed. */
export interface CompletedCommand {
  /** `run`, `storage export`. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** What the first word after it may be: commands below it, or values of its argument. */
  readonly words: readonly string[];
  /** Whether that word may be a file. */
  readonly takesFile: boolean;
}

/** An option of a command. */
export interface CompletedOption {
  /** `--config` and `-c`, or one of them. */
  readonly flags: readonly string[];
  readonly help: string;
  readonly takesValue: boolean;
  /** Whether its value is a file or a folder. */
  readonly takesFile: boolean;
}

/** All commands, each with those below it after it. */
export function completedCommands(commands: readonly CommandSpec[], above = ''): CompletedCommand[] {
  return commands.flatMap(({ name, summary, options, argument, subcommands = [] }) => [
    {
      name: above + name,
      summary,
      options: options.map(optionOf).map(({ flags, long, short, description, required }) => ({
        flags: [long, short].filter((flag) => flag != null),
        help: description,
        takesValue: required,
        takesFile: /<(?:file|folder|package)>/.test(flags),
      })),
      words: [...subcommands.map((inner) => inner.name), ...(argument?.values ?? [])],
      takesFile: argument !== undefined && argument.values.length === 0,
    },
    ...completedCommands(subcommands, `${above}${name} `),
  ]);
}

/** Words that may follow a command: its options, and what else it takes. */
export function wordsOf({ options, words }: CompletedCommand): string[] {
  return [...words, ...options.flatMap(({ flags }) => flags), '--help'];
}

/** Whether a command stands below another. */
export function isInner({ name }: CompletedCommand): boolean {
  return name.includes(' ');
}
