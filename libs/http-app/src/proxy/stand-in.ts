/** Simulated upstreams for configuration tests. They send nothing and don't resolve names. */
import { token, type Token } from '@sluice/registry';
import type { Transport } from './transport.ts';
import type { UpstreamSource } from './upstream.ts';

/** Replacement for the parts of a proxy that contact upstreams. */
export interface UpstreamStandIn {
  transport(configured: Transport): Transport;
  source(configured: UpstreamSource): UpstreamSource;
}

/** Simulated upstreams; absent in a process that serves traffic. */
export const upstreamStandIn: Token<UpstreamStandIn> = token<UpstreamStandIn>('upstream-stand-in');
