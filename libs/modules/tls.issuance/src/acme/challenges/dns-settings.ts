/** Settings of dns-01 records. */
import type { Resolver } from 'node:dns/promises';
import type { Logger } from '@sluice/base';
import type { DnsProvider } from '@sluice/contracts';

/** Resolver methods that the lookup uses. */
export type NameServer = Pick<
  Resolver,
  'resolve4' | 'resolve6' | 'resolveCname' | 'resolveNs' | 'resolveSoa' | 'resolveTxt'
>;

/** Settings for creating records and waiting for their propagation. Durations in milliseconds. */
export interface DnsSettings {
  readonly provider: DnsProvider;
  readonly ttl: number;
  readonly delay: number;
  /** Maximum time to wait until the record is visible; `null` means don't wait. */
  readonly timeout: number | null;
  readonly overrideName: string | null;
  /** Finds zones and their name servers. */
  readonly nameServer: NameServer;
  /** True if resolvers are configured. Records must then be visible there. */
  readonly ownResolvers: boolean;
  readonly log: Logger;
}
