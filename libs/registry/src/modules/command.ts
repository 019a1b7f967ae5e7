/** Commands that packages contribute to the command line: `sluice <name>`. */

export interface CommandOption {
  /** Flags in help syntax: `-o, --output <file>`, or `--quiet` for a flag without a value. */
  readonly flags: string;
  readonly description: string;
  /** Converts the option text to its value. `earlier` is the previous result if the option is repeated. */
  readonly parseArg?: (text: string, earlier: unknown) => unknown;
}

export interface CommandArgument {
  readonly name: string;
  readonly help: string;
  /** Accepted values; empty means a path. */
  readonly values: readonly string[];
}

/**
 * Runs a command and returns the exit code. Options are passed by camel-case name, the argument as `argument`, and all
 * positional arguments as `arguments`.
 *
 * `commands` contains all commands, for commands that list them.
 */
export type CommandAction = (options: never, commands: readonly CommandSpec[]) => number | Promise<number>;

/** A command for the command line, help and shell completion. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CommandOption[];
  /** The positional argument, if the command has one. */
  readonly argument?: CommandArgument;
  /** Subcommands, such as `storage export`. */
  readonly subcommands?: readonly CommandSpec[];
  /**
   * Loads the implementation when the command runs. A command with only subcommands has no implementation and shows its
   * help.
   */
  readonly load?: () => Promise<CommandAction>;
}

/** Collects commands; argument of the taps of `Registry.hooks.commands`. */
export interface Commands {
  add(command: CommandSpec): void;
}
