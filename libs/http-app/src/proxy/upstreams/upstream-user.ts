/** A proxy, as one that uses addresses. */
import type { Json } from '@sluice/base';

/** A proxy, as one that uses addresses. */
export interface UpstreamUser {
  /** The same in all threads. */
  readonly key: string;
  /** The list of its upstreams in the configuration, or their source. */
  readonly node: Json;
  /** Its place in the configuration when it was provisioned. */
  readonly where: string;
  /** Whether it finds them while requests come. */
  readonly finds: boolean;
}
