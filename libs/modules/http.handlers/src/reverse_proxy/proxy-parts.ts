import type {
  Exchange,
  HeaderOperations,
  ResponseHandler,
  ResponseMatcher,
  Rewrite,
  SelectionPolicy,
  Transport,
} from '@sluice/http-app';
import type { AbortWatch } from './abort-watch.ts';
import type { UpstreamQueue } from './queue/upstream-queue.ts';
import type { RetryRules } from './retry.ts';
import type { RoundtripLog } from './roundtrip-log.ts';
import type { Tunnels } from './tunnels.ts';
import type { UpstreamList } from './upstream-list.ts';

export interface ProxyParts {
  readonly roundtrips: RoundtripLog;
  readonly transport: Transport;
  /** True if Host is the upstream address instead of the client's host. */
  readonly namesUpstream: boolean;
  readonly upstreams: UpstreamList;
  readonly policy: SelectionPolicy;
  /** Queue for requests while all upstreams are at their limit; `null` if not configured. */
  readonly queue: UpstreamQueue | null;
  readonly retry: RetryRules;
  /** Reports whether the X-Forwarded fields of a request are kept. */
  readonly isTrusted: (exchange: Exchange) => boolean;
  readonly rewrite: Rewrite | null;
  /** True to send requests without bodies, because the rewrite changes the method to GET or HEAD. */
  readonly dropsBody: boolean;
  readonly requestOperations: HeaderOperations | null;
  readonly responseOperations: HeaderOperations | null;
  readonly responseOperationsFor: ResponseMatcher;
  readonly responseHandlers: readonly ResponseHandler[];
  /** True to flush bodies immediately. */
  readonly flushes: boolean;
  /** Silence in event streams after which a comment is sent, in milliseconds; 0 means disabled. */
  readonly sseKeepalive: number;
  /** Buffer size in bytes; 0 means none, Infinity means unlimited. */
  readonly requestBuffer: number;
  /** Like `requestBuffer`, for bodies of unknown length. */
  readonly lengthBuffer: number;
  readonly responseBuffer: number;
  readonly tunnels: Tunnels;
  readonly watch: Pick<AbortWatch, 'add' | 'delete'>;
}
