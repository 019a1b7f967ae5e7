/** All members of a fleet, as the store has them. */
import { isObject, own, type Json, type JsonObject } from '@sluice/base';
import type { FleetReport } from '@sluice/contracts';
import type { FleetStore } from '../store.ts';

/** One member. */
export interface RollEntry {
  readonly name: string;
  /** What it is: labels, version, when it started. */
  readonly about: JsonObject;
  /** How far it is; empty until it told. */
  readonly status: JsonObject;
  readonly isDrained: boolean;
}

/** The members that live, by name. */
export async function readRoll(store: FleetStore): Promise<readonly RollEntry[]> {
  const [leases, states, orders] = await Promise.all([
    store.leases('member/'),
    store.values('status/'),
    store.values('drain/'),
  ]);
  return [...leases].map(([key, text]) => {
    const name = key.slice('member/'.length);
    const status = objectOf(states.get(`status/${name}`));
    return { name, about: objectOf(text), status, isDrained: orders.has(`drain/${name}`) };
  });
}

/** What a member has of a revision. */
export function reportOf({ status }: RollEntry, revision: number): FleetReport {
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

function objectOf(text: string | undefined): JsonObject {
  return text === undefined ? {} : (objectOrNull(JSON.parse(text) as Json) ?? {});
}

function objectOrNull(value: Json | undefined): JsonObject | null {
  return value !== undefined && isObject(value) ? value : null;
}
