/** Whether a request that has failed is sent once more. */
import {
  idempotentMethods,
  isUpstreamError,
  matchSets,
  ReplayableBody,
  type Exchange,
  type MatcherSet,
  type RequestBody,
} from '@sluice/http-app';

/** When a request is tried again. Times in milliseconds. */
export interface RetryRules {
  readonly retries: number;
  readonly duration: number;
  readonly interval: number;
  /** Requests that may be sent again after an error other than that of connecting; `null`: those of idempotent methods. */
  readonly match: readonly MatcherSet[] | null;
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

/** Makes a body ready for another reader. False if a part of it is lost. */
export function rewindBody(body: RequestBody): boolean {
  if (body instanceof ReplayableBody) return body.rewind();
  return body.length === 0 || body.buffered() !== null || !body.consumed;
}
