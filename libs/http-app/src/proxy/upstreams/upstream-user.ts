import type { Json } from '@sluice/base';

/** A proxy that uses upstream addresses. */
export interface UpstreamUser {
  /** Key that identifies the proxy in all threads. */
  readonly key: string;
  /** Configuration node of the upstream list or the upstream source. */
  readonly node: Json;
  /** Configuration path of the proxy at provisioning time. */
  readonly where: string;
  /** True if the proxy discovers upstreams at request time. */
  readonly finds: boolean;
  /** True if the proxy belongs to a canary. Failures in a canary don't make upstreams unhealthy for the active configuration. */
  readonly isCanary?: boolean;
}
