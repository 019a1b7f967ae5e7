/** What a command of the command line is. */
import type { Option } from 'commander';

/** What a command does with its options; gives the exit code. */
export type Action = (options: never) => number | Promise<number>;

/** A command as the command line, its help and its completion know it. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** The values that its argument may have, if it takes one. */
  readonly argument?: readonly string[];
  /** Whether its argument is a file. */
  readonly file?: boolean;
  readonly load: () => Promise<Action>;
}
