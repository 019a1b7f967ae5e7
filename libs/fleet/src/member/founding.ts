/** Determines whether a member may create a fleet in an empty store. */
import { own } from '@sluice/base';
import { unreadableError } from '../errors.ts';
import { readMemberList } from '../member-list/member-list.ts';
import type { FleetStore } from '../store.ts';
import { emptyError } from './errors.ts';

/**
 * Checks that no other member has a history. If no member has a history, an empty store belongs to a new fleet. Otherwise, the store was
 * wiped, and an operator must decide which member recreates the fleet. In this case, rejects with `ERR_FLEET_EMPTY`. Also rejects if the
 * store is unavailable.
 */
export async function checkAlone(store: FleetStore, name: string): Promise<void> {
  const { members, unreadable } = await readMemberList(store);
  const [damaged] = unreadable;
  if (damaged !== undefined) throw unreadableError(damaged.key, damaged.reason);
  const others = members.filter((each) => each.name !== name && own(each.about, 'instance') !== undefined);
  // A member may have leased its name but not written its state yet. The next poll checks that member again.
  const blocking = others.find(
    ({ status }) =>
      Object.keys(status).length === 0 || own(status, 'forked') !== undefined || Number(own(status, 'known') ?? 0) > 0,
  );
  if (blocking !== undefined) throw emptyError(blocking.name);
}
