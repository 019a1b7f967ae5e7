/** The placeholders `{http.reverse_proxy.*}`, for requests that are being proxied or were proxied. */
import { statusText, type HeaderMap } from '@sluice/http1';
import { formatDuration } from '@sluice/base';
import type { Tries } from './tries.ts';
import type { UpstreamResponse } from './upstream-response.ts';

interface ProxiedExchange {
  readonly tries: Tries;
  readonly response: UpstreamResponse;
  /** Last wait in the queue, or `null` if the request has not waited. */
  readonly queued: { readonly waited: number } | null;
  /** True while `retry_match` is being evaluated for an error, otherwise `null`. */
  readonly transportError: true | null;
  /** Response headers while `handle_response` routes are running or if `retry_match` used the headers, otherwise `null`. */
  readonly heldHeaders: HeaderMap | null;
}

type Read = (proxied: ProxiedExchange) => unknown;

const ofRequest = {
  duration: ({ tries }) => formatDuration(performance.now() - tries.startedAt),
  duration_ms: ({ tries }) => performance.now() - tries.startedAt,
  retries: ({ tries }) => Math.max(0, tries.count - 1),
  queue_duration: ({ queued }) => (queued === null ? undefined : formatDuration(queued.waited)),
  queue_duration_ms: ({ queued }) => queued?.waited,
  status_code: ({ response: { status } }) => (status === 0 ? undefined : status),
  status_text: ({ response: { status } }) => (status === 0 ? undefined : `${status} ${statusText(status)}`.trim()),
  is_transport_error: ({ transportError }) => transportError ?? undefined,
  'upstream.address': ({ tries }) => tries.address?.text,
  'upstream.hostport': ({ tries }) => tries.address?.hostPort,
  'upstream.host': ({ tries }) => tries.address?.host,
  'upstream.port': ({ tries: { address } }) => (address === null ? undefined : String(address.port)),
  // Number of requests at the upstream. It never includes this request, even after this request has been counted.
  'upstream.requests': ({ tries: { upstream, duration } }) =>
    upstream === null ? undefined : duration < 0 ? upstream.requests - 1 : upstream.requests,
  'upstream.max_requests': ({ tries }) => tries.upstream?.maxRequests,
  'upstream.fails': ({ tries }) => tries.upstream?.host.fails,
  'upstream.latency': ({ tries: { latency } }) => (latency < 0 ? undefined : formatDuration(latency)),
  'upstream.latency_ms': ({ tries: { latency } }) => (latency < 0 ? undefined : latency),
  'upstream.duration': ({ tries: { duration } }) => (duration < 0 ? undefined : formatDuration(duration)),
  'upstream.duration_ms': ({ tries: { duration } }) => (duration < 0 ? undefined : duration),
} satisfies Readonly<Record<string, Read>>;

export type ProxyPlaceholder = `http.reverse_proxy.${keyof typeof ofRequest | 'header.<field>'}`;

/** Returns the value of the placeholder `{http.reverse_proxy.<name>}`, or `undefined` if it is not available yet. */
export function proxyPlaceholder(name: string, proxied: ProxiedExchange): unknown {
  if (Object.hasOwn(ofRequest, name)) return ofRequest[name as keyof typeof ofRequest](proxied);
  return name.startsWith('header.') ? proxied.heldHeaders?.joined(name.slice(7).toLowerCase()) : undefined;
}
