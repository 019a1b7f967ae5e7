/** Contract of DNS providers. None is built in; third-party packages provide them. */
import { namespace, token, type Namespace, type Token } from '@sluice/registry';

/** A record of a zone. */
export interface DnsRecord {
  /** Name relative to the zone, such as `_acme-challenge.www`; `@` for the zone itself. */
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /** TTL in milliseconds; 0 = the provider's default. */
  readonly ttl: number;
}

/** Modifies records of a zone. Called in the control thread. */
export interface DnsProvider {
  /** Adds records and keeps existing ones. `zone` ends with a dot. */
  append(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void>;
  /** Removes records with the same name, type and value. Missing records are not an error. */
  remove(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void>;
}

/** `dns.providers`: inline key `name`. */
export const dnsProviders: Namespace<DnsProvider> = namespace<DnsProvider>('dns.providers');

/** `dns` and `resolvers` of the app, for challenges that set none. */
export interface DnsDefaults {
  readonly provider: DnsProvider | null;
  readonly resolvers: readonly string[];
}

/** Provided to all modules of the `tls` app in the control thread. */
export const dnsDefaultsToken: Token<DnsDefaults> = token<DnsDefaults>('dns_defaults');
