/** DNS lookups: zones, and propagation of records. */
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SluiceError } from '@sluice/base';
import type { DnsSettings, NameServer } from './dns-settings.ts';

const betweenLooks = 2_000;

/** Returns a resolver for these servers; the system's if there are none. */
export function resolverOf(servers: readonly string[]): NameServer {
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers.map((each) => each.replace(/^(?:udp|tcp)\//, '')));
  return resolver;
}

/** Returns the zone of a name with a trailing dot: the nearest parent with an SOA record. */
export async function zoneOf(server: NameServer, name: string): Promise<string> {
  const labels = name.replace(/\.$/, '').split('.');
  let reason = 'no SOA record found';
  for (let at = 0; at < labels.length; at++) {
    const candidate = labels.slice(at).join('.');
    try {
      await server.resolveSoa(candidate);
      return `${candidate}.`;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code !== 'ENODATA' && code !== 'ENOTFOUND') reason = (error as Error).message;
    }
  }
  throw new SluiceError('ERR_ISSUANCE', `cannot find the DNS zone of ${name}: ${reason}`);
}

/** An expected record. */
export interface WantedRecord {
  /** Full name. */
  readonly name: string;
  readonly type: 'CNAME' | 'TXT';
  readonly value: string;
}

/** Waits for the configured delay, and until the record is visible. */
export async function awaitRecord(
  { delay, timeout, nameServer }: DnsSettings,
  { name, type, value }: WantedRecord,
  signal: AbortSignal,
): Promise<void> {
  if (delay > 0) await sleep(delay, undefined, { signal });
  if (timeout === null) return;
  const until = performance.now() + timeout;
  while (!(await valuesOf(nameServer, name, type)).includes(value)) {
    if (performance.now() >= until)
      throw new SluiceError(
        'ERR_ISSUANCE',
        `${type} record of ${name} was created, but is not visible after ${Math.round(timeout / 1000)} s`,
      );
    await sleep(Math.min(betweenLooks, timeout), undefined, { signal });
  }
}

/** Returns the values of a name; empty if there are none or the server does not respond. */
async function valuesOf(server: NameServer, name: string, type: 'CNAME' | 'TXT'): Promise<readonly string[]> {
  try {
    if (type === 'CNAME') return await server.resolveCname(name);
    return (await server.resolveTxt(name)).map((parts) => parts.join(''));
  } catch {
    return [];
  }
}
