import type { Json } from '@sluice/base';

/** A proxy as a user of addresses. */
export interface UpstreamUser {
  /** Identifies the proxy in all threads. */
  readonly key: string;
  /** Configuration node of the upstream list, or of the upstream source. */
  readonly node: Json;
  /** Configuration path at provisioning time. */
  readonly where: string;
  /** True if upstreams are discovered at request time. */
  readonly finds: boolean;
  /** True if the proxy belongs to a canary, whose failures do not make upstreams unhealthy for the active configuration. */
  readonly isCanary?: boolean;
}
