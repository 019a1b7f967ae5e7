/** Whether a member may found the fleet in a store that is empty. */
import { own } from '@sluice/base';
import { unreadableError } from '../errors.ts';
import { readWholeRoll } from '../roll/roll.ts';
import type { FleetStore } from '../store.ts';
import { emptyError } from './errors.ts';

/**
 * An empty store is that of a new fleet only if no member of the cluster has a history: else it was wiped, and an operator has to say which
 * member founds the fleet again. Rejects with ERR_FLEET_EMPTY, and where the store cannot tell.
 */
export async function checkAlone(store: FleetStore, name: string): Promise<void> {
  const { members, unreadable } = await readWholeRoll(store);
  const [damaged] = unreadable;
  if (damaged !== undefined) throw unreadableError(damaged.key, damaged.reason);
  const others = members.filter((each) => each.name !== name && own(each.about, 'instance') !== undefined);
  // A member that holds its name and has not written its state yet is looked at again at the next beat.
  const blocking = others.find(
    ({ status }) =>
      Object.keys(status).length === 0 || own(status, 'forked') !== undefined || Number(own(status, 'known') ?? 0) > 0,
  );
  if (blocking !== undefined) throw emptyError(blocking.name);
}
