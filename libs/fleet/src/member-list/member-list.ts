/** Reads the list of fleet members from the store. */
import { isObject, messageOf, own, type Json, type JsonObject } from '@sluice/base';
import type { FleetReport } from '@sluice/contracts';
import type { FleetStore } from '../store.ts';

export interface MemberEntry {
  readonly name: string;
  /** Labels, version, and start time of the member. */
  readonly about: JsonObject;
  /** Progress of the member. Empty until the member reports its status. */
  readonly status: JsonObject;
  readonly isDrained: boolean;
  /** Other machines that use the same member name. They participate in the fleet but are not listed under the name. */
  readonly claims: readonly JsonObject[];
}

/** An invalid entry in the store, for example from another program. Readers skip the entry. */
export interface Unreadable {
  /** Key of the entry in the store, such as `member/web-1` or `status/web-1`. */
  readonly key: string;
  readonly reason: string;
}

/** The live fleet members, and the invalid entries in the store. */
export interface MemberList {
  readonly members: readonly MemberEntry[];
  readonly unreadable: readonly Unreadable[];
}

/** Separator between a member name and the instance ID of another machine that uses the same name. */
export const claimMark = '~';

/** Returns the live fleet members by name. */
export async function readMembers(store: FleetStore): Promise<readonly MemberEntry[]> {
  return (await readMemberList(store)).members;
}

/** Reads the member list. Parses each entry separately, so that an invalid entry does not affect the others. */
export async function readMemberList(store: FleetStore): Promise<MemberList> {
  const [leases, states, orders] = await Promise.all([
    store.leases('member/'),
    store.values('status/'),
    store.values('drain/'),
  ]);
  const unreadable: Unreadable[] = [];
  const read = (key: string, text: string): JsonObject | null => {
    try {
      const value = objectOrNull(JSON.parse(text) as Json);
      if (value !== null) return value;
      unreadable.push({ key, reason: 'the entry is not an object' });
    } catch (error) {
      unreadable.push({ key, reason: messageOf(error) });
    }
    return null;
  };
  const members: MemberEntry[] = [];
  const claims = new Map<string, JsonObject[]>();
  for (const [key, text] of leases) {
    const about = read(key, text);
    const [name = '', claim] = key.slice('member/'.length).split(claimMark);
    if (about === null) continue;
    if (claim !== undefined) {
      claims.set(name, [...(claims.get(name) ?? []), about]);
      continue;
    }
    const stateKey = `status/${name}`;
    const state = states.get(stateKey);
    const status = (state === undefined ? null : read(stateKey, state)) ?? {};
    members.push({ name, about, status, isDrained: orders.has(`drain/${name}`), claims: [] });
  }
  return { members: members.map((each) => ({ ...each, claims: claims.get(each.name) ?? [] })), unreadable };
}

/** Returns the state of a revision on a member. */
export function reportOf({ status }: MemberEntry, revision: number): FleetReport {
  const applied = own(status, 'applied');
  if (typeof applied === 'number' && applied >= revision) return { state: 'applied' };
  const rejected = objectOrNull(own(status, 'rejected'));
  if (rejected === null || Number(own(rejected, 'rev')) < revision) return { state: 'behind' };
  const [path, message] = [own(rejected, 'path'), own(rejected, 'message')];
  return {
    state: 'rejected',
    ...(typeof path === 'string' ? { path } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

function objectOrNull(value: Json | undefined): JsonObject | null {
  return value !== undefined && isObject(value) ? value : null;
}
