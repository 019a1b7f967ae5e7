/** Simulated upstreams for configuration tests. Sends nothing and resolves no names. */
import { token, type Token } from '@sluice/registry';
import type { Transport } from './transport.ts';
import type { UpstreamSource } from './upstream.ts';

/** Replaces the parts of a proxy that contact upstreams. */
export interface UpstreamStandIn {
  transport(configured: Transport): Transport;
  source(configured: UpstreamSource): UpstreamSource;
}

/** Simulated upstreams; absent in a serving process. */
export const upstreamStandIn: Token<UpstreamStandIn> = token<UpstreamStandIn>('upstream-stand-in');
