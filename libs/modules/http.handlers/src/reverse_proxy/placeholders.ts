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

/** The value of `{http.reverse_proxy.<name>}`; `undefined` if there is none, or none yet. */
export function proxyPlaceholder(name: string, proxied: ProxiedRequest): unknown {
  if (name.startsWith('upstream.')) return upstreamPlaceholder(name.slice(9), proxied);
  const { status } = proxied;
  const duration = performance.now() - proxied.startedAt;
  switch (name) {
    case 'duration':
      return formatDuration(duration);
    case 'duration_ms':
      return duration;
    case 'retries':
      return Math.max(0, proxied.tries - 1);
    case 'status_code':
      return status === 0 ? undefined : status;
    case 'status_text':
      return status === 0 ? undefined : `${status} ${statusText(status)}`.trim();
    case 'is_transport_error':
      return proxied.transportError ?? undefined;
    default:
      return name.startsWith('header.') ? proxied.heldHeaders?.joined(name.slice(7).toLowerCase()) : undefined;
  }
}

function upstreamPlaceholder(name: string, { upstream, address, latency, duration }: ProxiedRequest): unknown {
  switch (name) {
    case 'address':
      return address?.text;
    case 'hostport':
      return address?.hostPort;
    case 'host':
      return address?.host;
    case 'port':
      return address === null ? undefined : String(address.port);
    case 'requests':
      // Before this one, and after it.
      return upstream === null ? undefined : duration < 0 ? upstream.requests - 1 : upstream.requests;
    case 'max_requests':
      return upstream?.maxRequests;
    case 'fails':
      return upstream?.host.fails;
    case 'latency':
      return latency < 0 ? undefined : formatDuration(latency);
    case 'latency_ms':
      return latency < 0 ? undefined : latency;
    case 'duration':
      return duration < 0 ? undefined : formatDuration(duration);
    case 'duration_ms':
      return duration < 0 ? undefined : duration;
    default:
      return undefined;
  }
}
