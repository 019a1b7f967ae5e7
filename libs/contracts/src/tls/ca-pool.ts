/** Trusted certificate authorities, for client authentication and upstream transports. */
import { namespace, type Namespace } from '@sluice/registry';

/** A source of trusted certificate authorities. */
export interface CaPool {
  /**
   * PEM strings, each with one or more certificates. A dynamic source implements this property as a getter; readers call the getter once
   * per use.
   */
  readonly certificates: readonly string[];
}

/** `tls.ca_pool.source`: inline key `provider`. Loaded in every thread. */
export const caPoolSources: Namespace<CaPool> = namespace<CaPool>('tls.ca_pool.source');
