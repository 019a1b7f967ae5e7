/** `sluice fleet rollback`, `drain` and `adopt`. */
import { own, type JsonObject } from '@sluice/base';
import { CommandError } from '../../failure.ts';
import { askMember, print, type FleetOptions } from './fleet-call.ts';

/** Takes the whole fleet back to a revision. */
export async function fleetRollback(options: FleetOptions): Promise<number> {
  const revision = needed(options, 'a revision; sluice fleet history lists them');
  const made = (await askMember(options, 'POST', `/fleet/history/${revision}/apply`)) as JsonObject;
  print(`the fleet is as it was in revision ${revision}; that is revision ${String(own(made, 'revision'))}`);
  return 0;
}

/** Has a member serve no new clients, or serve them again. */
export async function fleetDrain(options: FleetOptions & { readonly undo?: boolean }): Promise<number> {
  const member = needed(options, 'a member; sluice fleet status lists them');
  const isUndone = options.undo === true;
  await askMember(options, isUndone ? 'DELETE' : 'POST', `/fleet/members/${encodeURIComponent(member)}/drain`);
  print(
    isUndone ? `${member} is ready again` : `${member} says that it is not ready; it serves the clients that it has`,
  );
  return 0;
}

/** Has the member that is asked take what the store has. */
export async function fleetAdopt(options: FleetOptions): Promise<number> {
  const { revision } = (await askMember(options, 'POST', '/fleet/adopt')) as { readonly revision: number };
  print(`this member follows the store again, from revision ${revision} on`);
  return 0;
}

function needed({ argument }: FleetOptions, what: string): string {
  if (argument === undefined || argument === '') throw new CommandError(`the command needs ${what}`);
  return argument;
}
