/** Certificate authorities and network proxies of an upstream transport. */
import { namespace, type Namespace } from '@sluice/registry';

export type { CaPool } from '@sluice/contracts';

export interface NetworkProxy {
  readonly url: string;
}

/** Namespace `caddy.network_proxy`; inline key `from`. */
export const networkProxies: Namespace<NetworkProxy> = namespace<NetworkProxy>('caddy.network_proxy');
