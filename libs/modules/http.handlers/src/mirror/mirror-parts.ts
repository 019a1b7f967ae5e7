import type { Exchange, HeaderOperations, Rewrite, SelectionPolicy, Transport } from '@sluice/http-app';
import type { SharedCell } from '@sluice/threads';
import type { ProxyUpstream } from '../reverse_proxy/proxy-upstream.ts';
import type { MirrorMetrics } from './metrics.ts';

/** Resolved options of a mirror. */
export interface MirrorParts {
  readonly transport: Transport;
  readonly upstreams: readonly ProxyUpstream[];
  readonly policy: SelectionPolicy;
  /** From 0 to 1. */
  readonly share: number;
  readonly maxConcurrent: number;
  /** In bytes. */
  readonly maxBody: number;
  /** In milliseconds. */
  readonly timeout: number;
  /** True if Host is the upstream address instead of the host that the client requested. */
  readonly namesUpstream: boolean;
  readonly isTrusted: (exchange: Exchange) => boolean;
  readonly rewrite: Rewrite | null;
  readonly requestOperations: HeaderOperations | null;
  readonly cell: SharedCell;
  readonly metrics: Pick<MirrorMetrics, 'count'> | null;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
}
