/** Determines whether a member may create the fleet in an empty store. */
import { own } from '@sluice/base';
import { unreadableError } from '../errors.ts';
import { readMemberList } from '../member-list/member-list.ts';
import type { FleetStore } from '../store.ts';
import { emptyError } from './errors.ts';

/**
 * Checks that no other member has a history. An empty store belongs to a new fleet only then. Otherwise, the store was
 * wiped, and an operator must decide which member recreates the fleet.
 * Rejects with ERR_FLEET_EMPTY, or if the store is unavailable.
 */
export async function checkAlone(store: FleetStore, name: string): Promise<void> {
  const { members, unreadable } = await readMemberList(store);
  const [damaged] = unreadable;
  if (damaged !== undefined) throw unreadableError(damaged.key, damaged.reason);
  const others = members.filter((each) => each.name !== name && own(each.about, 'instance') !== undefined);
  // A member that has leased its name but not written its state yet is checked again at the next poll.
  const blocking = others.find(
    ({ status }) =>
      Object.keys(status).length === 0 || own(status, 'forked') !== undefined || Number(own(status, 'known') ?? 0) > 0,
  );
  if (blocking !== undefined) throw emptyError(blocking.name);
}
