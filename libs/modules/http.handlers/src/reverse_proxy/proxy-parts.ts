import type {
  Exchange,
  HeaderOperations,
  ResponseHandler,
  ResponseMatcher,
  ResponseWriter,
  Rewrite,
  SelectionPolicy,
  Transport,
} from '@sluice/http-app';
import type { AbortWatch } from './abort-watch.ts';
import type { RequestQueue } from './queue/request-queue.ts';
import type { RetryRules } from './retry.ts';
import type { RoundtripLog } from './roundtrip-log.ts';
import type { SseKeepalive } from './sse-keepalive.ts';
import type { Tunnels } from './tunnels.ts';
import type { UpstreamList } from './upstream-list.ts';

export interface ProxyParts {
  readonly roundtrips: RoundtripLog;
  readonly transport: Transport;
  /** True if the Host header contains the upstream address. False if it contains the host of the client request. */
  readonly namesUpstream: boolean;
  readonly upstreams: UpstreamList;
  readonly policy: SelectionPolicy;
  /** Queue for requests while all upstreams are at their limit, or `null` if no queue is configured. */
  readonly queue: RequestQueue | null;
  readonly retry: RetryRules;
  /** Reports whether to keep the X-Forwarded headers of a request. */
  readonly isTrusted: (exchange: Exchange) => boolean;
  readonly rewrite: Rewrite | null;
  /** True to send requests without a body, because a rewrite changes the method to GET or HEAD. */
  readonly dropsBody: boolean;
  readonly requestOperations: HeaderOperations | null;
  readonly responseOperations: HeaderOperations | null;
  readonly responseOperationsFor: ResponseMatcher;
  readonly responseHandlers: readonly ResponseHandler[];
  /** True to flush response data immediately. */
  readonly flushes: boolean;
  /** Creates the writer that sends comments in an idle event stream, or `null` if `sse_keepalive` is not set. */
  readonly sseKeepalive: ((exchange: Exchange, client: ResponseWriter) => SseKeepalive) | null;
  /** Size of the request buffer in bytes. 0 disables buffering, and Infinity means unlimited. */
  readonly requestBuffer: number;
  /** Like `requestBuffer`, but for bodies of unknown length. */
  readonly lengthBuffer: number;
  readonly responseBuffer: number;
  readonly tunnels: Tunnels;
  readonly watch: Pick<AbortWatch, 'add' | 'delete'>;
}
