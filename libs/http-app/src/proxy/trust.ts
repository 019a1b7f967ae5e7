/** Interface of certificate authority modules and network proxy modules for upstream transports. */
import { namespace, type Namespace } from '@sluice/registry';

export type { CaPool } from '@sluice/contracts';

export interface NetworkProxy {
  /** Proxy URL, such as `http://proxy:3128` or `socks5://proxy`; empty if no proxy is used. */
  readonly url: string;
}

/** Module namespace `caddy.network_proxy`; the inline key is `from`. */
export const networkProxies: Namespace<NetworkProxy> = namespace<NetworkProxy>('caddy.network_proxy');
