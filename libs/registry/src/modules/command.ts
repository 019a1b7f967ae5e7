/** Commands that packages add to the command line: `sluice <name>`. */

export interface CommandOption {
  /** Flags in help syntax: `-o, --output <file>`, or `--quiet` for a flag without a value. */
  readonly flags: string;
  readonly description: string;
  /** Converts the option's text to a value. `earlier` is the previous result if the option is repeated. */
  readonly parseArg?: (text: string, earlier: unknown) => unknown;
}

export interface CommandArgument {
  readonly name: string;
  readonly help: string;
  /** Accepted values of the argument. An empty list means that the argument is a path. */
  readonly values: readonly string[];
}

/**
 * Runs a command and returns the exit code. Options are passed by camel-case name. The argument is passed as `argument`, and all positional
 * arguments as `arguments`.
 *
 * `commands` contains all commands, for commands that list them.
 */
export type CommandAction = (options: never, commands: readonly CommandSpec[]) => number | Promise<number>;

/** A command, as defined for the command line, help and shell completion. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CommandOption[];
  /** Positional argument, if the command has one. */
  readonly argument?: CommandArgument;
  /** Subcommands, such as `storage export`. */
  readonly subcommands?: readonly CommandSpec[];
  /** Loads the implementation when the command runs. A command that only has subcommands has no implementation and prints its help. */
  readonly load?: () => Promise<CommandAction>;
}

/** Collects commands. Argument of the taps of `Registry.hooks.commands`. */
export interface Commands {
  add(command: CommandSpec): void;
}
