/** Interface of modules that determine the server's own IP addresses, for dynamic DNS. */
import { namespace, type Namespace } from '@sluice/registry';

/** IP versions for which the caller needs addresses. */
export interface AddressVersions {
  readonly ipv4: boolean;
  readonly ipv6: boolean;
}

/** Finds the public IP addresses of this machine. Called in the control thread. */
export interface AddressSource {
  /** Returns the addresses. The caller ignores addresses of IP versions that it did not request. Rejects if the lookup fails. */
  addresses(wanted: AddressVersions, signal: AbortSignal): Promise<readonly string[]>;
}

/** Module namespace `dynamic_dns.ip_sources`, with the inline key `source`. */
export const addressSources: Namespace<AddressSource> = namespace<AddressSource>('dynamic_dns.ip_sources');
