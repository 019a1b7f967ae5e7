/** Commands of the command line, as packages contribute them: `sluice <name>`. */

/** An option of a command. */
export interface CommandOption {
  /** As the help shows it: `-o, --output <file>`, or `--quiet` for one without a value. */
  readonly flags: string;
  readonly description: string;
  /** Makes the option's value of its text; `earlier` is what the same option made before, if it was given twice. */
  readonly parseArg?: (text: string, earlier: unknown) => unknown;
}

/** An argument of a command that is not an option. */
export interface CommandArgument {
  readonly name: string;
  readonly help: string;
  /** The values that it may have; none: a path. */
  readonly values: readonly string[];
}

/**
 * What a command does. It gets its options by their names in camel case, its argument as `argument`, and all that are not
 * options as `arguments`; it returns the exit code of the process. `commands` are all commands that there are, for one that tells of them.
 */
export type CommandAction = (options: never, commands: readonly CommandSpec[]) => number | Promise<number>;

/** A command as the command line, its help and its completion know it. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CommandOption[];
  /** Its argument, if it takes one. */
  readonly argument?: CommandArgument;
  /** Commands below it, such as `storage export`. */
  readonly subcommands?: readonly CommandSpec[];
  /** Loads what the command does, when it is run; one that only has others below it shows its help. */
  readonly load?: () => Promise<CommandAction>;
}

/** Collects commands; given to the taps of `Registry.hooks.commands`. */
export interface Commands {
  add(command: CommandSpec): void;
}
