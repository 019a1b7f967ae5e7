/** Trusted certificate authorities, as client authentication and transports to upstreams take them. */
import { namespace, type Namespace } from '@sluice/registry';

/** A source of certificate authorities that are trusted. */
export interface CaPool {
  /** Certificates in PEM, one or more to a text. A source that changes has a getter here; readers ask once per use. */
  readonly certificates: readonly string[];
}

/** `tls.ca_pool.source`: inline key `provider`. Loaded in every thread. */
export const caPoolSources: Namespace<CaPool> = namespace<CaPool>('tls.ca_pool.source');
