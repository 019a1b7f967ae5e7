import type { Json } from '@sluice/base';
import { appToken, type AppToken } from '@sluice/registry';

/** Response of `GET /dynamic_dns`. Times are in RFC 3339 format. */
export interface DynamicDnsState {
  readonly addresses: readonly string[];
  /** Fully qualified names of the DNS records. */
  readonly names: readonly string[];
  readonly last_check: string | null;
  readonly last_error: string | null;
}

export interface DynamicDnsApp {
  /** Updates the record names when a new configuration document becomes active. */
  useDocument(document: Json): void;
  /** Current state. `null` in threads that do not update records. */
  readonly state: DynamicDnsState | null;
}

export const dynamicDnsApp: AppToken<DynamicDnsApp> = appToken<DynamicDnsApp>('dynamic_dns');
