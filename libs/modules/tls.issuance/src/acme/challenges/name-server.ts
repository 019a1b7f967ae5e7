/** DNS lookups for ACME challenges: zones, delegated names, authoritative servers, and record propagation. */
import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SluiceError } from '@sluice/base';
import type { DnsSettings, NameServer } from './dns-settings.ts';

/** Delay before the second propagation check in milliseconds. The delay then doubles up to the maximum. */
const firstPause = 250;
const maxPause = 4_000;
/** Maximum length of a CNAME chain. */
const maxAliases = 8;

/** Returns a resolver that uses the given servers, or the system's resolver if the list is empty. */
export function resolverOf(servers: readonly string[]): NameServer {
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers.map((each) => each.replace(/^(?:udp|tcp)\//, '')));
  return resolver;
}

/** Returns the zone of a name, with a trailing dot. The zone is the nearest ancestor with an SOA record. */
export async function zoneOf(server: NameServer, name: string): Promise<string> {
  const labels = name.replace(/\.$/, '').split('.');
  let reason = 'no SOA record found';
  for (let at = 0; at < labels.length; at++) {
    const candidate = labels.slice(at).join('.');
    try {
      await server.resolveSoa(candidate);
      return `${candidate}.`;
    } catch (error) {
      if (!isMissing(error)) reason = (error as Error).message;
    }
  }
  throw new SluiceError('ERR_ISSUANCE', `cannot find the DNS zone of ${name}: ${reason}`);
}

/**
 * Returns the name at which to create a challenge record. This is the end of the CNAME chain of `name`, which the CA follows (RFC 8555
 * §8.4). Ignores a wildcard CNAME record, because a record at `name` overrides it.
 */
export async function delegatedName(server: NameServer, name: string): Promise<string> {
  let current = name;
  for (let aliases = 0; aliases < maxAliases; aliases++) {
    const [target] = await valuesOf(server, current, 'CNAME');
    if (target === undefined || (await isFromWildcard(server, current, target))) return current;
    current = target.replace(/\.$/, '').toLowerCase();
  }
  throw new SluiceError('ERR_ISSUANCE', `${name} has a chain of more than ${maxAliases} CNAME records`);
}

/** Reports whether a CNAME record comes from a wildcard (RFC 4592): a random sibling of the name has the same CNAME record. */
async function isFromWildcard(server: NameServer, name: string, target: string): Promise<boolean> {
  const parent = name.slice(name.indexOf('.') + 1);
  const sibling = `sluice-${randomBytes(8).toString('hex')}.${parent}`;
  return (await valuesOf(server, sibling, 'CNAME')).includes(target);
}

/** DNS server on which a record must be visible, with its name for error messages. */
export interface CheckedServer {
  readonly name: string;
  readonly server: NameServer;
}

/** Returns the authoritative servers of a zone. Returns only `server` if they can't be determined. Tests use a different port. */
export async function authoritativeServers(server: NameServer, zone: string, port = 53): Promise<CheckedServer[]> {
  const names = await server.resolveNs(zone.replace(/\.$/, '')).catch(() => []);
  const found = await Promise.all(
    names.map(async (name): Promise<CheckedServer[]> => {
      const all = await Promise.all([server.resolve4(name), server.resolve6(name)].map((each) => each.catch(() => [])));
      const addresses = all.flat().map((address) => `${isIPv6(address) ? `[${address}]` : address}:${port}`);
      return addresses.length === 0 ? [] : [{ name, server: resolverOf(addresses) }];
    }),
  );
  const servers = found.flat();
  return servers.length > 0 ? servers : [{ name: 'the resolver', server }];
}

/** An expected record. */
export interface WantedRecord {
  /** Full name. */
  readonly name: string;
  readonly type: 'CNAME' | 'TXT';
  readonly value: string;
}

/** A DNS record to wait for, with several acceptable values. */
export interface WantedValue extends Pick<WantedRecord, 'name' | 'type'> {
  readonly accepts: (value: string) => boolean;
}

/** Settings of DNS lookups; see {@link DnsSettings}. */
export type Lookup = Pick<DnsSettings, 'delay' | 'timeout' | 'nameServer' | 'ownResolvers'>;

/**
 * Waits for the configured delay, then until the record is visible. It must be visible on the configured resolvers, or on all authoritative
 * servers that respond. If no server responds, queries the system's resolver, because a firewall may block other DNS traffic.
 */
export function awaitRecord(lookup: Lookup, zone: string, wanted: WantedRecord, signal: AbortSignal): Promise<void> {
  const { name, type, value } = wanted;
  return awaitValue(lookup, zone, { name, type, accepts: (each) => each === value }, signal);
}

/** Waits like {@link awaitRecord}, for a record with several acceptable values. */
export async function awaitValue(
  { delay, timeout, nameServer, ownResolvers }: Lookup,
  zone: string,
  wanted: WantedValue,
  signal: AbortSignal,
): Promise<void> {
  if (delay > 0) await sleep(delay, undefined, { signal });
  if (timeout === null) return;
  const until = performance.now() + timeout;
  let servers = ownResolvers
    ? [{ name: 'the configured resolvers', server: nameServer }]
    : await authoritativeServers(nameServer, zone);
  for (let pause = firstPause; ; pause = Math.min(pause * 2, maxPause)) {
    const { missing, silent } = await withoutRecord(servers, wanted);
    if (missing.length === 0) return;
    servers = silent && !ownResolvers ? [{ name: 'the resolver', server: nameServer }] : missing;
    const left = until - performance.now();
    if (left <= 0) throw notVisible(wanted, missing, timeout);
    await sleep(Math.min(pause, left), undefined, { signal });
  }
}

function notVisible({ name, type }: WantedValue, servers: readonly CheckedServer[], timeout: number): SluiceError {
  const names = servers.map((each) => each.name).join(', ');
  return new SluiceError(
    'ERR_ISSUANCE',
    `${type} record for ${name} was created, but is not visible on ${names} after ${timeout / 1000} s`,
  );
}

/**
 * Returns the servers that lack the record. A server that does not respond is included only if no server has the record. `silent` is true
 * if no server responded.
 */
export async function withoutRecord(
  servers: readonly CheckedServer[],
  { name, type, accepts }: WantedValue,
): Promise<{ readonly missing: CheckedServer[]; readonly silent: boolean }> {
  const states = await Promise.all(
    servers.map(async ({ server }) => {
      try {
        return (await lookUp(server, name, type)).some(accepts) ? 'found' : 'missing';
      } catch (error) {
        return isMissing(error) ? 'missing' : 'silent';
      }
    }),
  );
  const anyFound = states.includes('found');
  return {
    missing: servers.filter((_, at) => states[at] === 'missing' || (states[at] === 'silent' && !anyFound)),
    silent: states.every((state) => state === 'silent'),
  };
}

/** Returns the record values of a name. Empty if there are none, or if the server does not respond. */
async function valuesOf(server: NameServer, name: string, type: 'CNAME' | 'TXT'): Promise<readonly string[]> {
  try {
    return await lookUp(server, name, type);
  } catch {
    return [];
  }
}

async function lookUp(server: NameServer, name: string, type: 'CNAME' | 'TXT'): Promise<readonly string[]> {
  if (type === 'CNAME') return server.resolveCname(name);
  return (await server.resolveTxt(name)).map((parts) => parts.join(''));
}

/** Reports whether an error means that the record does not exist. */
function isMissing(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === 'ENODATA' || code === 'ENOTFOUND';
}
