/** How the records of dns-01 challenges are set and awaited. */
import type { Resolver } from 'node:dns/promises';
import type { DnsProvider } from '@sluice/tls-app';

/** What of a resolver is used. */
export type NameServer = Pick<Resolver, 'resolveCname' | 'resolveSoa' | 'resolveTxt'>;

/** How records are set and awaited; durations in milliseconds. */
export interface DnsSettings {
  readonly provider: DnsProvider;
  readonly ttl: number;
  readonly delay: number;
  /** `null`: records are not looked for. */
  readonly timeout: number | null;
  readonly overrideName: string | null;
  readonly nameServer: NameServer;
}
