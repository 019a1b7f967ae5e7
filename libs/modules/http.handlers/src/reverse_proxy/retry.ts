/** Whether a request that has failed, or got a response that counts as a failure, is sent once more. */
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

/** When a request is tried again. Times in milliseconds. */
export interface RetryRules {
  readonly retries: number;
  readonly duration: number;
  readonly interval: number;
  /** Requests that may be sent again after an error other than that of connecting; `null`: those of idempotent methods. */
  readonly match: readonly MatcherSet[] | null;
  /** Those of {@link match} that ask for the response: a response that one of them matches is not a response. `null` for none. */
  readonly responseMatch: readonly MatcherSet[] | null;
}

/** Placeholders that make a matcher set one for responses. */
const responsePlaceholders = ['{http.reverse_proxy.status_code}', '{http.reverse_proxy.header.'];

/** Whether a matcher set, as configured, is one for responses: only expressions are looked at, as in the reference. */
export function asksForResponse(set: Json | undefined): boolean {
  const expression = isObject(set) ? set['expression'] : undefined;
  const text = isObject(expression) ? expression['expr'] : expression;
  return typeof text === 'string' && responsePlaceholders.some((name) => text.includes(name));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether there is another try: `tries` so far, the first at `startedAt`. */
export function mayTryAgain({ retries, duration }: RetryRules, tries: number, startedAt: number): boolean {
  if (duration === 0) return tries <= retries;
  return performance.now() - startedAt < duration && (retries === 0 || tries <= retries);
}

/** Whether a request that ended with an error may be sent to an upstream again, which may have got it already. */
export function mayRepeat(
  { match }: RetryRules,
  exchange: Exchange,
  method: string,
  error: Error,
): boolean | Promise<boolean> {
  const undelivered = !isUpstreamError(error) || error.undelivered;
  return undelivered || (match === null ? idempotentMethods.has(method) : matchSets(exchange, match));
}

/** Whether a body can be made ready for another reader. */
export function canRewind(body: RequestBody): boolean {
  if (body instanceof ReplayableBody) return body.replayable;
  return body.length === 0 || body.buffered() !== null || !body.consumed;
}

/** Makes a body ready for another reader. False if a part of it is lost. */
export function rewindBody(body: RequestBody): boolean {
  if (body instanceof ReplayableBody) return body.rewind();
  return body.length === 0 || body.buffered() !== null || !body.consumed;
}
