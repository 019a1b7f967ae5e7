/** What stands in for upstreams, where a configuration is tested: nothing is sent, and no name is looked up. */
import { token, type Token } from '@sluice/registry';
import type { Transport } from './transport.ts';
import type { UpstreamSource } from './upstream.ts';

/** Makes of the parts of a proxy those that requests are given to. */
export interface UpstreamStandIn {
  transport(configured: Transport): Transport;
  source(configured: UpstreamSource): UpstreamSource;
}

/** The service that stands in. A server that serves has none. */
export const upstreamStandIn: Token<UpstreamStandIn> = token<UpstreamStandIn>('upstream-stand-in');
