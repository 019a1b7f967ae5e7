/** What name servers say: where zones begin, and whether a record has reached them. */
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SluiceError } from '@sluice/base';
import type { DnsSettings, NameServer } from './dns-settings.ts';

const betweenLooks = 2_000;

/** A resolver at name servers; those of the system if there are none. */
export function resolverOf(servers: readonly string[]): NameServer {
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers.map((each) => each.replace(/^(?:udp|tcp)\//, '')));
  return resolver;
}

/** The zone that a name is in, with a dot at the end: the nearest name upwards that has a SOA record. */
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

/** A record that is to be seen. */
export interface WantedRecord {
  /** The whole name. */
  readonly name: string;
  readonly type: 'CNAME' | 'TXT';
  readonly value: string;
}

/** Waits as the settings say, and until the record is seen. */
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

/** Values of a name; none where the name server has none or does not respond. */
async function valuesOf(server: NameServer, name: string, type: 'CNAME' | 'TXT'): Promise<readonly string[]> {
  try {
    if (type === 'CNAME') return await server.resolveCname(name);
    return (await server.resolveTxt(name)).map((parts) => parts.join(''));
  } catch {
    return [];
  }
}
