/** DNS settings that the `tls` app provides to its modules. */
import type { DnsProvider } from '@sluice/contracts';
import { token, type Token } from '@sluice/registry';

/** The app-level options `dns` and `resolvers`, for challenges that don't set their own. */
export interface DnsDefaults {
  readonly provider: DnsProvider | null;
  readonly resolvers: readonly string[];
}

/** Service token for the DNS settings. Available to all modules of the `tls` app in the control thread. */
export const dnsDefaultsToken: Token<DnsDefaults> = token<DnsDefaults>('dns_defaults');
