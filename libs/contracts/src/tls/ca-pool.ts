/** Trusted certificate authorities, for client authentication and for connections to upstreams. */
import { namespace, type Namespace } from '@sluice/registry';

/** A source of trusted CA certificates. */
export interface CaPool {
  /**
   * Trusted certificates as PEM strings, each with one or more certificates. A dynamic source implements this property as a getter. Callers
   * read the property once per use.
   */
  readonly certificates: readonly string[];
}

/** Module namespace `tls.ca_pool.source`, with the inline key `provider`. Loaded in every thread. */
export const caPoolSources: Namespace<CaPool> = namespace<CaPool>('tls.ca_pool.source');
