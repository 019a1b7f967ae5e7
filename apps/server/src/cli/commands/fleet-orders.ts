/** `sluice fleet rollback`, `sluice fleet drain` and `sluice fleet adopt`. */
import { own, type JsonObject } from '@sluice/base';
import { CommandError } from '../../failure.ts';
import { askMember, print, type FleetOptions } from './fleet-call.ts';

/** Rolls back the configuration of the whole fleet to a revision. */
export async function fleetRollback(options: FleetOptions): Promise<number> {
  const revision = needed(options, 'a revision; run sluice fleet history to list revisions');
  const made = (await askMember(options, 'POST', `/fleet/history/${revision}/apply`)) as JsonObject;
  print(`the fleet was rolled back to revision ${revision}, as revision ${String(own(made, 'revision'))}`);
  return 0;
}

/** Drains a fleet member, or resumes its traffic. */
export async function fleetDrain(options: FleetOptions & { readonly undo?: boolean }): Promise<number> {
  const member = needed(options, 'a member; run sluice fleet status to list members');
  const isUndone = options.undo === true;
  await askMember(options, isUndone ? 'DELETE' : 'POST', `/fleet/members/${encodeURIComponent(member)}/drain`);
  print(
    isUndone
      ? `${member} is ready again`
      : `${member} is draining: it reports that it is not ready, but continues to serve existing clients`,
  );
  return 0;
}

/** Response to an adoption dry run. It comes from the same server version, so validation is unnecessary. */
interface Adoption {
  readonly ours: number;
  readonly theirs: number;
  readonly founds: boolean;
  readonly operations: readonly { readonly op: string; readonly path: string }[];
}

/** Maximum number of changes to list. */
const maxShown = 50;

/**
 * Shows the changes that the member would lose by adopting the store's configuration. Adopts the configuration if the user confirms.
 * Otherwise, exits with 1.
 */
export async function fleetAdopt(options: FleetOptions & { readonly yes?: boolean }): Promise<number> {
  const shown: unknown = await askMember(options, 'POST', '/fleet/adopt?dry_run');
  const { ours, theirs, founds, operations } = shown as Adoption;
  if (founds)
    print(`the store is empty: the fleet will be recreated with this member's configuration (revision ${ours})`);
  else print(`this member's history is at revision ${ours}; the store has a different history, at revision ${theirs}`);
  for (const { op, path } of operations.slice(0, maxShown))
    print(`${{ add: '+', remove: '-', replace: '~' }[op] ?? op} ${path || '/'}`);
  if (operations.length > maxShown) print(`and ${operations.length - maxShown} more changes`);
  if (operations.length === 0 && !founds) print('the configuration stays the same');
  if (options.yes !== true) {
    print("nothing was changed; run the command with --yes to adopt the store's history");
    return 1;
  }
  const { revision } = (await askMember(options, 'POST', '/fleet/adopt')) as { readonly revision: number };
  print(`this member follows the store again, starting with revision ${revision}`);
  return 0;
}

export async function fleetLeave(options: FleetOptions): Promise<number> {
  const { member } = (await askMember(options, 'POST', '/fleet/leave')) as { readonly member: string };
  print(
    `${member} has left the fleet and continues to serve requests; remove --fleet from its command line before the next start`,
  );
  return 0;
}

function needed({ argument }: FleetOptions, what: string): string {
  if (argument === undefined || argument === '') throw new CommandError(`the command requires ${what}`);
  return argument;
}
