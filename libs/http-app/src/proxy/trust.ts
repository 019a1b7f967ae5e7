/** Certificate authorities and network proxies of an upstream transport. */
import { namespace, type Namespace } from '@sluice/registry';

export type { CaPool } from '@sluice/contracts';

export interface NetworkProxy {
  /** URL, such as `http://proxy:3128` or `socks5://proxy`; empty for none. */
  readonly url: string;
}

/** Namespace `caddy.network_proxy`; inline key `from`. */
export const networkProxies: Namespace<NetworkProxy> = namespace<NetworkProxy>('caddy.network_proxy');
