/** Decides whether to retry a request after an error, or after a response that counts as a failure. */
import {
  idempotentMethods,
  isUpstreamError,
  matchSets,
  ReplayableBody,
  type Exchange,
  type MatcherSet,
  type RequestBody,
} from '@sluice/http-app';
import type { Json, JsonObject } from '@sluice/base';

/** Retry rules. Times are in milliseconds. */
export interface RetryRules {
  readonly retries: number;
  readonly duration: number;
  readonly interval: number;
  /**
   * Matcher sets for requests that may be retried after any error except a connection error. `null` means all requests with an idempotent
   * method.
   */
  readonly match: readonly MatcherSet[] | null;
  /** Matcher sets in {@link match} that use the response. A response that matches counts as a failure. */
  readonly responseMatch: readonly MatcherSet[] | null;
}

/** Placeholders that make a matcher set depend on the response. */
const responsePlaceholders = ['{http.reverse_proxy.status_code}', '{http.reverse_proxy.header.'];

/** Reports whether a configured matcher set depends on the response. As in Caddy, only checks expressions. */
export function asksForResponse(set: Json | undefined): boolean {
  const expression = isObject(set) ? set['expression'] : undefined;
  const text = isObject(expression) ? expression['expr'] : expression;
  return typeof text === 'string' && responsePlaceholders.some((name) => text.includes(name));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reports whether another attempt is allowed after `tries` attempts. The first attempt was at `startedAt`. */
export function mayTryAgain({ retries, duration }: RetryRules, tries: number, startedAt: number): boolean {
  if (duration === 0) return tries <= retries;
  return performance.now() - startedAt < duration && (retries === 0 || tries <= retries);
}

/** Reports whether a failed request may be repeated even if the upstream may have received it. */
export function mayRepeat(
  { match }: RetryRules,
  exchange: Exchange,
  method: string,
  error: Error,
): boolean | Promise<boolean> {
  const undelivered = !isUpstreamError(error) || error.undelivered;
  return undelivered || (match === null ? idempotentMethods.has(method) : matchSets(exchange, match));
}

/** Reports whether a body can be rewound for another reader. */
export function canRewind(body: RequestBody): boolean {
  if (body instanceof ReplayableBody) return body.replayable;
  return body.length === 0 || body.buffered() !== null || !body.consumed;
}

/** Rewinds a body for another reader. Returns false if part of the body is no longer available. */
export function rewindBody(body: RequestBody): boolean {
  if (body instanceof ReplayableBody) return body.rewind();
  return body.length === 0 || body.buffered() !== null || !body.consumed;
}
