/** `sluice completion`: prints completion scripts for shells. */
import type { CommandSpec } from '@sluice/registry';
import { CommandError } from '../../failure.ts';
import { bash } from '../completion/bash.ts';
import { completedCommands, type CompletedCommand } from '../completion/completed-command.ts';
import { fish } from '../completion/fish.ts';
import { powershell } from '../completion/powershell.ts';
import { zsh } from '../completion/zsh.ts';

const writers: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash,
  zsh,
  fish,
  powershell,
};

/** Prints the completion script for a shell. It covers all available commands. */
export function completion({ argument }: { readonly argument?: string }, commands: readonly CommandSpec[]): number {
  const write = argument !== undefined && Object.hasOwn(writers, argument) ? writers[argument] : undefined;
  if (write === undefined) throw new CommandError(`completion requires a shell: ${Object.keys(writers).join(', ')}`);
  process.stdout.write(write(completedCommands(commands)));
  return 0;
}
