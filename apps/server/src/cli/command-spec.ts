/** What a command of the command line is. */
import type { Option } from 'commander';

/** What a command does with its options; gives the exit code. */
export type Action = (options: never) => number | Promise<number>;

/** An argument of a command that is not an option. */
export interface Argument {
  readonly name: string;
  readonly help: string;
  /** The values that it may have; none: a path. */
  readonly values: readonly string[];
}

/** A command as the command line, its help and its completion know it. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** Its argument, if it takes one. */
  readonly argument?: Argument;
  readonly load: () => Promise<Action>;
}
