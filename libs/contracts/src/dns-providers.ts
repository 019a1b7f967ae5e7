/** Interface of DNS provider modules (`dns.providers`). */
import { namespace, type Namespace } from '@sluice/registry';

export interface DnsRecord {
  /** Record name relative to the zone, such as `_acme-challenge.www`. `@` is the name of the zone itself. */
  readonly name: string;
  /** Record type in uppercase, such as `TXT`. */
  readonly type: string;
  /** Record data in presentation format (RFC 1035 §5.1). Exception: a TXT value is a single string without quotes. */
  readonly value: string;
  /** TTL in milliseconds. 0 selects the provider's default. */
  readonly ttl: number;
}

/**
 * Reads and modifies the records of DNS zones. Called in the control thread. `zone` is a name that ends with a dot, such as `example.com.`.
 * Error messages must not contain credentials, because errors are logged.
 */
export interface DnsProvider {
  /** Adds records and keeps existing ones. Adding a record that already exists is not an error. */
  append(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void>;
  /** Removes records that have the same name, type, and value. A missing record is not an error. */
  remove(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void>;
  /** Returns the records in a zone. `dynamic_dns` requires this method. It is undefined if the provider cannot list records. */
  get?(zone: string, signal: AbortSignal): Promise<readonly DnsRecord[]>;
  /**
   * Replaces records. After the call, each given combination of name and type has exactly the given records. All other records are
   * unchanged. `dynamic_dns` requires this method.
   */
  set?(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void>;
}

/** Module namespace `dns.providers`, with the inline key `name`. */
export const dnsProviders: Namespace<DnsProvider> = namespace<DnsProvider>('dns.providers');
