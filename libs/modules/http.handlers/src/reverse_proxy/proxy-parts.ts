/** What a proxy is made of: its options, resolved once. */
import type {
  HeaderOperations,
  MatcherSet,
  ResponseMatcher,
  Rewrite,
  RouteList,
  HttpTemplate,
  SelectionPolicy,
  Transport,
} from '@sluice/http-app';
import type { IpMatcher } from '@sluice/registry';
import type { AbortWatch } from './abort-watch.ts';
import type { RoundtripLog } from './roundtrip-log.ts';
import type { Tunnels } from './tunnels.ts';
import type { UpstreamList } from './upstream-list.ts';

/** When a request is tried again. Times in milliseconds. */
export interface RetryRules {
  readonly retries: number;
  readonly duration: number;
  readonly interval: number;
  /** Requests that may be sent again after an error other than that of connecting; `null`: those of idempotent methods. */
  readonly match: readonly MatcherSet[] | null;
}

/** Whether a request may be tried once more: `tries` so far, the first at `startedAt`. */
export function mayTryAgain({ retries, duration }: RetryRules, tries: number, startedAt: number): boolean {
  if (duration === 0) return tries <= retries;
  return performance.now() - startedAt < duration && (retries === 0 || tries <= retries);
}

/** One entry of `handle_response`. */
export interface ResponseHandler {
  readonly matches: ResponseMatcher;
  /** Status to pass the answer on with; `null` for none. */
  readonly status: HttpTemplate | null;
  /** Routes to run; `null` for none. */
  readonly routes: RouteList | null;
}

/** The parts of a proxy. */
export interface ProxyParts {
  readonly roundtrips: RoundtripLog;
  readonly transport: Transport;
  readonly upstreams: UpstreamList;
  readonly policy: SelectionPolicy;
  readonly retry: RetryRules;
  readonly trusted: IpMatcher | null;
  readonly rewrite: Rewrite | null;
  /** Whether requests are sent without their bodies, because the rewrite makes them requests of GET or HEAD. */
  readonly dropsBody: boolean;
  readonly requestOperations: HeaderOperations | null;
  readonly responseOperations: HeaderOperations | null;
  readonly responseOperationsFor: ResponseMatcher;
  readonly responseHandlers: readonly ResponseHandler[];
  /** Whether bodies are sent on as they come. */
  readonly flushes: boolean;
  /** Bytes; 0: none, Infinity: all. */
  readonly requestBuffer: number;
  readonly responseBuffer: number;
  readonly tunnels: Tunnels;
  readonly watch: AbortWatch;
}
