/** Contract of sources for the server's own IP addresses, for dynamic DNS. */
import { namespace, type Namespace } from '@sluice/registry';

/** IP versions to look up. */
export interface AddressVersions {
  readonly ipv4: boolean;
  readonly ipv6: boolean;
}

/** Finds the public addresses of this machine. Called in the control thread. */
export interface AddressSource {
  /** Returns addresses. The caller ignores addresses with unwanted IP versions. Rejects if the lookup fails. */
  addresses(wanted: AddressVersions, signal: AbortSignal): Promise<readonly string[]>;
}

/** `dynamic_dns.ip_sources`: inline key `source`. */
export const addressSources: Namespace<AddressSource> = namespace<AddressSource>('dynamic_dns.ip_sources');
