/** DNS settings of the `tls` app, for its modules. */
import type { DnsProvider } from '@sluice/contracts';
import { token, type Token } from '@sluice/registry';

/** `dns` and `resolvers` of the app, for challenges that set none. */
export interface DnsDefaults {
  readonly provider: DnsProvider | null;
  readonly resolvers: readonly string[];
}

/** Provided to all modules of the `tls` app in the control thread. */
export const dnsDefaultsToken: Token<DnsDefaults> = token<DnsDefaults>('dns_defaults');
