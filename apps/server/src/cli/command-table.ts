import type { Commands, CommandSpec } from '@sluice/registry';
import { CommandError } from '../failure.ts';

/** Commands in insertion order. A duplicate name is an error, because the second command would be unreachable. */
export class CommandTable implements Commands {
  readonly #commands = new Map<string, CommandSpec>();

  readonly add = (command: CommandSpec): void => {
    if (this.#commands.has(command.name))
      throw new CommandError(
        `command ${command.name} is contributed by two packages: remove one of the packages, or rename its command`,
      );
    this.#commands.set(command.name, command);
  };

  has(name: string): boolean {
    return this.#commands.has(name);
  }

  list(): readonly CommandSpec[] {
    return [...this.#commands.values()];
  }
}
