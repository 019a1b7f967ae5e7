/** The list of fleet members in the store. */
import { isObject, messageOf, own, type Json, type JsonObject } from '@sluice/base';
import type { FleetReport } from '@sluice/contracts';
import type { FleetStore } from '../store.ts';

export interface MemberEntry {
  readonly name: string;
  /** Labels, version and start time. */
  readonly about: JsonObject;
  /** Member progress; empty until the member has reported. */
  readonly status: JsonObject;
  readonly isDrained: boolean;
  /** Other machines that use the same name. They participate in the fleet, but are not listed under the name. */
  readonly claims: readonly JsonObject[];
}

/** An invalid store entry, for example from another program. The entry is skipped. */
export interface Unreadable {
  /** Store key: `member/web-1`, `status/web-1`. */
  readonly key: string;
  readonly reason: string;
}

/** All members, and their invalid entries. */
export interface MemberList {
  readonly members: readonly MemberEntry[];
  readonly unreadable: readonly Unreadable[];
}

/** Separates the member name from the instance of another machine that uses the same name. */
export const claimMark = '~';

/** Returns the live members by name. */
export async function readMembers(store: FleetStore): Promise<readonly MemberEntry[]> {
  return (await readMemberList(store)).members;
}

/** Parses each entry separately, so that a damaged entry does not affect others. */
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
      unreadable.push({ key, reason: 'it is not an object' });
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

/** Returns a member's state for a revision. */
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
