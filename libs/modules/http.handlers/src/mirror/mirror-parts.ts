import type { Exchange, HeaderOperations, Rewrite, SelectionPolicy, Transport } from '@sluice/http-app';
import type { SharedCell } from '@sluice/threads';
import type { ProxyUpstream } from '../reverse_proxy/proxy-upstream.ts';
import type { MirrorMetrics } from './metrics.ts';

/** Resolved options of a `mirror` handler. */
export interface MirrorParts {
  readonly transport: Transport;
  readonly upstreams: readonly ProxyUpstream[];
  readonly policy: SelectionPolicy;
  /** Fraction of requests to mirror, between 0 and 1. */
  readonly share: number;
  readonly maxConcurrent: number;
  /** Maximum size of a request body, in bytes. */
  readonly maxBody: number;
  /** Timeout, in milliseconds. */
  readonly timeout: number;
  /** True if the Host header contains the upstream address. False if it contains the host of the client request. */
  readonly namesUpstream: boolean;
  readonly isTrusted: (exchange: Exchange) => boolean;
  readonly rewrite: Rewrite | null;
  readonly requestOperations: HeaderOperations | null;
  readonly cell: SharedCell;
  readonly metrics: Pick<MirrorMetrics, 'count'> | null;
  /** Returns a random number between 0 (inclusive) and 1 (exclusive). */
  readonly random: () => number;
}
