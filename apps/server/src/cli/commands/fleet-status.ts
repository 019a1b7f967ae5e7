/** `sluice fleet status`: shows a table of the fleet members, optionally live. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isArray, isObject, own, type Json, type JsonObject } from '@sluice/base';
import { askMember, print, type FleetOptions } from './fleet-call.ts';

/** Polling interval for the members' state, in milliseconds. */
const pollInterval = 500;

/** Prints the table once, or repeatedly until interrupted. Exits with 1 if a member is not up to date. */
export async function fleetStatus(options: FleetOptions & { readonly watch?: boolean }): Promise<number> {
  let last = '';
  for (;;) {
    const fleet = (await askMember(options, 'GET', '/fleet')) as JsonObject;
    const table = tableOf(fleet);
    if (table !== last) {
      if (process.stdout.isTTY && last !== '') process.stdout.write(`\u001b[${last.split('\n').length}A\u001b[J`);
      print(table);
    }
    last = table;
    if (options.watch !== true) return isWhole(fleet) ? 0 : 1;
    await sleep(pollInterval);
  }
}

export function tableOf(fleet: JsonObject): string {
  const head = `fleet ${text(own(fleet, 'cluster'))}, revision ${text(own(fleet, 'revision'))}, as seen by ${text(own(fleet, 'member'))}`;
  const rows = membersOf(fleet).map((member) => [
    text(own(member, 'name')),
    text(own(member, 'applied')),
    text(own(member, 'document')).slice(-8),
    labelsOf(own(member, 'labels')),
    stateOf(member),
  ]);
  const lines = [['MEMBER', 'REVISION', 'DOCUMENT', 'LABELS', 'STATE'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const table = lines.map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const outage = own(fleet, 'store_away');
  const store =
    outage !== undefined && isObject(outage)
      ? [`store ${text(own(outage, 'kind'))} since ${text(own(outage, 'since'))}: ${text(own(outage, 'reason'))}`]
      : [];
  const asOf = own(fleet, 'members_as_of');
  const known = asOf === undefined ? [] : [`last known state of members, as of ${text(asOf)}`];
  return [head, ...store, ...known, ...damagedIn(fleet), '', ...table].join('\n');
}

/** Returns the unreadable entries of the fleet store. */
function damagedIn(fleet: JsonObject): readonly string[] {
  const unreadable = own(fleet, 'unreadable');
  if (unreadable === undefined || !isArray(unreadable)) return [];
  return unreadable
    .filter(isObject)
    .map((each) => `unreadable entry in the store, skipped: ${text(own(each, 'key'))} (${text(own(each, 'reason'))})`);
}

function stateOf(member: JsonObject): string {
  const claims = own(member, 'claimed_by');
  if (claims !== undefined && isArray(claims)) {
    const hosts = [member, ...claims].map((each) => (isObject(each) ? text(own(each, 'host')) : '-'));
    return `member name is used by ${hosts.length} machines: ${hosts.join(', ')}`;
  }
  const forked = part(member, 'forked');
  if (forked !== null) return `forked: ${text(own(forked, 'reason'))}`;
  const rejected = part(member, 'rejected');
  if (rejected !== null) return `rejected ${text(own(rejected, 'rev'))}: ${text(own(rejected, 'message'))}`;
  if (own(member, 'drained') === true) return 'drained';
  return own(member, 'ready') === true ? 'ready' : 'not ready';
}

function isWhole(fleet: JsonObject): boolean {
  const revision = own(fleet, 'revision');
  return membersOf(fleet).every((member) => own(member, 'applied') === revision);
}

function membersOf(fleet: JsonObject): readonly JsonObject[] {
  const members = own(fleet, 'members');
  return members !== undefined && isArray(members) ? members.filter(isObject) : [];
}

function part(member: JsonObject, key: string): JsonObject | null {
  const value = own(member, key);
  return value !== undefined && isObject(value) ? value : null;
}

function labelsOf(value: Json | undefined): string {
  return value !== undefined && isArray(value) && value.length > 0 ? value.join(',') : '-';
}

function text(value: Json | undefined): string {
  return value === undefined || value === null ? '-' : String(value);
}
