/** Certificate authorities and network proxies that an upstream transport uses from other modules. */
import { namespace, type Namespace } from '@sluice/registry';

export type { CaPool } from '@sluice/contracts';

export interface NetworkProxy {
  /** URL, for example `http://proxy:3128` or `socks5://proxy`; empty for none. */
  readonly url: string;
}

/** Namespace `caddy.network_proxy`; inline key `from`. */
export const networkProxies: Namespace<NetworkProxy> = namespace<NetworkProxy>('caddy.network_proxy');
