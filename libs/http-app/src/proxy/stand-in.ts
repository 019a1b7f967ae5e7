/** Stand-in for upstreams during configuration tests. Sends nothing and resolves no names. */
import { token, type Token } from '@sluice/registry';
import type { Transport } from './transport.ts';
import type { UpstreamSource } from './upstream.ts';

/** Replaces the request-receiving parts of a proxy. */
export interface UpstreamStandIn {
  transport(configured: Transport): Transport;
  source(configured: UpstreamSource): UpstreamSource;
}

/** Service that provides the stand-in; absent in a serving process. */
export const upstreamStandIn: Token<UpstreamStandIn> = token<UpstreamStandIn>('upstream-stand-in');
