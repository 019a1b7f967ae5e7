/** What the transport to upstreams takes from other hosts: trusted certificate authorities, proxies of the network. */
import { namespace, type Namespace } from '@sluice/registry';

/** A source of certificate authorities that are trusted. */
export interface CaPool {
  /** Certificates in PEM, one or more to a text. */
  readonly certificates: readonly string[];
}

/** `tls.ca_pool.source`: inline key `provider`. */
export const caPoolSources: Namespace<CaPool> = namespace<CaPool>('tls.ca_pool.source');

/** Through which proxy a connection is made. */
export interface NetworkProxy {
  /** URL such as `http://proxy:3128` or `socks5://proxy`; empty for none. */
  readonly url: string;
}

/** `caddy.network_proxy`: inline key `from`. */
export const networkProxies: Namespace<NetworkProxy> = namespace<NetworkProxy>('caddy.network_proxy');
