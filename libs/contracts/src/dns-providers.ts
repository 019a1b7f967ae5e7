/** Contract of DNS providers: `dns.providers`. */
import { namespace, type Namespace } from '@sluice/registry';

/** A record of a zone. */
export interface DnsRecord {
  /** Name relative to the zone, such as `_acme-challenge.www`; `@` for the zone itself. */
  readonly name: string;
  /** Record type in upper case, such as `TXT`. */
  readonly type: string;
  /** Data in presentation format (RFC 1035 §5.1), except that a TXT value is one string without quotes. */
  readonly value: string;
  /** TTL in milliseconds; 0 means the provider's default. */
  readonly ttl: number;
}

/**
 * Reads and modifies zone records. Called in the control thread. `zone` is a name that ends with a dot, such as `example.com.`. Rejections
 * must not contain credentials, because they are logged.
 */
export interface DnsProvider {
  /** Adds records and keeps existing records. Adding an existing record is not an error. */
  append(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void>;
  /** Removes records with the same name, type and value. Missing records are not an error. */
  remove(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void>;
  /** Returns the records of a zone. Required by `dynamic_dns`; undefined if the provider can't list records. */
  get?(zone: string, signal: AbortSignal): Promise<readonly DnsRecord[]>;
  /**
   * Replaces records: for each pair of name and type, exactly the given records exist afterwards. Other records are kept. Required by
   * `dynamic_dns`.
   */
  set?(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void>;
}

/** `dns.providers`: inline key `name`. */
export const dnsProviders: Namespace<DnsProvider> = namespace<DnsProvider>('dns.providers');
