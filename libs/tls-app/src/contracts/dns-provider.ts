/** Contract of DNS providers. No provider ships: they come as packages of third parties. */
import { namespace, token, type Namespace, type Token } from '@sluice/registry';

/** A record of a zone. */
export interface DnsRecord {
  /** Relative to the zone, `_acme-challenge.www`; `@` for the zone itself. */
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /** In milliseconds; 0 leaves it to the provider. */
  readonly ttl: number;
}

/** Changes records of a zone. Called in the control thread. */
export interface DnsProvider {
  /** Adds records beside those that are there. `zone` ends with a dot. */
  append(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void>;
  /** Removes records of the same name, type and value; one that is not there is no failure. */
  remove(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void>;
}

/** `dns.providers`: inline key `name`. */
export const dnsProviders: Namespace<DnsProvider> = namespace<DnsProvider>('dns.providers');

/** What the app's options `dns` and `resolvers` say, for challenges that say nothing themselves. */
export interface DnsDefaults {
  readonly provider: DnsProvider | null;
  readonly resolvers: readonly string[];
}

/** Provided to all that the app `tls` hosts in the control thread. */
export const dnsDefaultsToken: Token<DnsDefaults> = token<DnsDefaults>('dns_defaults');
