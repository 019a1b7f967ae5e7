/** Converts the retry settings of a rule to the `load_balancing` options of `reverse_proxy`. */
import type { Json, JsonObject } from '@sluice/base';
import type { RouteRule } from '../objects.ts';

/** Number of retries for a rule that has no retry settings. Only failed connections are retried, and only if another endpoint exists. */
const connectionRetries = 2;
/** Default of `attempts`, which the specification leaves to implementations. */
const defaultAttempts = 1;
/** Idempotent methods, which are retried if an endpoint fails without a response (RFC 9110 §9.2.2). */
const idempotent = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'];

export function retryOptions({ retry }: RouteRule, upstreams: number): JsonObject {
  if (retry === undefined) return upstreams < 2 ? {} : { retries: connectionRetries };
  const { codes = [], attempts = defaultAttempts, backoff } = retry;
  if (attempts < 1) return {};
  const options: Record<string, Json> = { retries: attempts };
  if (backoff !== undefined) options['try_interval'] = backoff;
  if (codes.length > 0)
    options['retry_match'] = [
      { expression: `{http.reverse_proxy.status_code} in [${codes.join(', ')}]` },
      { method: idempotent },
    ];
  return options;
}
