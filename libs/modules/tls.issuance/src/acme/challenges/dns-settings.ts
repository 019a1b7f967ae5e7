/** Settings of `dns-01` challenge records. */
import type { Resolver } from 'node:dns/promises';
import type { Logger } from '@sluice/base';
import type { DnsProvider } from '@sluice/contracts';

/** Methods of `Resolver` that DNS lookups use. */
export type NameServer = Pick<
  Resolver,
  'resolve4' | 'resolve6' | 'resolveCname' | 'resolveNs' | 'resolveSoa' | 'resolveTxt'
>;

/** Settings for creating DNS records and waiting for their propagation. Durations are in milliseconds. */
export interface DnsSettings {
  readonly provider: DnsProvider;
  readonly ttl: number;
  readonly delay: number;
  /** Maximum time to wait until the record is visible, or `null` to skip waiting. */
  readonly timeout: number | null;
  readonly overrideName: string | null;
  /** Resolver that finds zones and their authoritative servers. */
  readonly nameServer: NameServer;
  /** True if resolvers are configured. Challenge records must then be visible on these resolvers. */
  readonly ownResolvers: boolean;
  readonly log: Logger;
}
