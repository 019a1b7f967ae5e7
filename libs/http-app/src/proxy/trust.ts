/** What the transport to upstreams takes from other hosts: trusted certificate authorities, proxies of the network. */
import { namespace, type Namespace } from '@sluice/registry';

export type { CaPool } from '@sluice/contracts';

/** Through which proxy a connection is made. */
export interface NetworkProxy {
  /** URL such as `http://proxy:3128` or `socks5://proxy`; empty for none. */
  readonly url: string;
}

/** `caddy.network_proxy`: inline key `from`. */
export const networkProxies: Namespace<NetworkProxy> = namespace<NetworkProxy>('caddy.network_proxy');
