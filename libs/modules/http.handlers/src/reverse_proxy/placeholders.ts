/** `{http.reverse_proxy.*}`: what there is to tell of a request that is proxied, or was. */
import { statusText, type HeaderMap } from '@sluice/http1';
import type { DialAddress } from '@sluice/http-app';
import { formatDuration } from '@sluice/base';
import type { ProxyUpstream } from './proxy-upstream.ts';

/** What placeholders are about. Times in milliseconds, below 0 before they are known. */
export interface ProxiedRequest {
  /** The upstream of the last try, and where it was dialed; `null` before. */
  readonly upstream: ProxyUpstream | null;
  readonly address: DialAddress | null;
  /** From the sending of the last try to the head of its response, and to its end. */
  readonly latency: number;
  readonly duration: number;
  /** When it came, of `performance.now()`. */
  readonly startedAt: number;
  readonly tries: number;
  /** Status of the response; 0 before. */
  readonly status: number;
  /** Whether `retry_match` is asked about an error; else `null`: there is nothing to tell. */
  readonly transportError: true | null;
  /** Fields of the response while `handle_response` routes run, or `retry_match` has asked for it, else `null`. */
  readonly heldHeaders: HeaderMap | null;
}

type Read = (proxied: ProxiedRequest) => unknown;

const ofRequest = {
  duration: ({ startedAt }) => formatDuration(performance.now() - startedAt),
  duration_ms: ({ startedAt }) => performance.now() - startedAt,
  retries: ({ tries }) => Math.max(0, tries - 1),
  status_code: ({ status }) => (status === 0 ? undefined : status),
  status_text: ({ status }) => (status === 0 ? undefined : `${status} ${statusText(status)}`.trim()),
  is_transport_error: ({ transportError }) => transportError ?? undefined,
  'upstream.address': ({ address }) => address?.text,
  'upstream.hostport': ({ address }) => address?.hostPort,
  'upstream.host': ({ address }) => address?.host,
  'upstream.port': ({ address }) => (address === null ? undefined : String(address.port)),
  // Before this one, and after it.
  'upstream.requests': ({ upstream, duration }) =>
    upstream === null ? undefined : duration < 0 ? upstream.requests - 1 : upstream.requests,
  'upstream.max_requests': ({ upstream }) => upstream?.maxRequests,
  'upstream.fails': ({ upstream }) => upstream?.host.fails,
  'upstream.latency': ({ latency }) => (latency < 0 ? undefined : formatDuration(latency)),
  'upstream.latency_ms': ({ latency }) => (latency < 0 ? undefined : latency),
  'upstream.duration': ({ duration }) => (duration < 0 ? undefined : formatDuration(duration)),
  'upstream.duration_ms': ({ duration }) => (duration < 0 ? undefined : duration),
} satisfies Readonly<Record<string, Read>>;

/** Names of the placeholders. */
export type ProxyPlaceholder = `http.reverse_proxy.${keyof typeof ofRequest | 'header.<field>'}`;

/** The value of `{http.reverse_proxy.<name>}`; `undefined` if there is none, or none yet. */
export function proxyPlaceholder(name: string, proxied: ProxiedRequest): unknown {
  if (Object.hasOwn(ofRequest, name)) return ofRequest[name as keyof typeof ofRequest](proxied);
  return name.startsWith('header.') ? proxied.heldHeaders?.joined(name.slice(7).toLowerCase()) : undefined;
}
