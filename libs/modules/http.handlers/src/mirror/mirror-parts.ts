import type { Exchange, HeaderOperations, Rewrite, SelectionPolicy, Transport } from '@sluice/http-app';
import type { SharedCell } from '@sluice/threads';
import type { ProxyUpstream } from '../reverse_proxy/proxy-upstream.ts';
import type { MirrorMetrics } from './metrics.ts';

/** Resolved options of a mirror. */
export interface MirrorParts {
  readonly transport: Transport;
  readonly upstreams: readonly ProxyUpstream[];
  readonly policy: SelectionPolicy;
  /** Share of requests to mirror, from 0 to 1. */
  readonly share: number;
  readonly maxConcurrent: number;
  /** Maximum body size, in bytes. */
  readonly maxBody: number;
  /** Timeout, in milliseconds. */
  readonly timeout: number;
  /** True if Host is the upstream address instead of the client's host. */
  readonly namesUpstream: boolean;
  readonly isTrusted: (exchange: Exchange) => boolean;
  readonly rewrite: Rewrite | null;
  readonly requestOperations: HeaderOperations | null;
  readonly cell: SharedCell;
  readonly metrics: Pick<MirrorMetrics, 'count'> | null;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}
