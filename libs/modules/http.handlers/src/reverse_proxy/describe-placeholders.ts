/** Descriptions of `{http.reverse_proxy.*}`. Only the reference documentation loads them; the compiler ensures that none is missing. */
import type { ProxyPlaceholder } from './placeholders.ts';

/** Descriptions by name. */
export const proxyPlaceholders: Readonly<Record<ProxyPlaceholder, string>> = {
  'http.reverse_proxy.duration': 'Time since the request came, such as `1.5ms`.',
  'http.reverse_proxy.duration_ms': 'The same in milliseconds.',
  'http.reverse_proxy.retries': 'How many further upstreams were tried.',
  'http.reverse_proxy.status_code': 'Status of the response of the upstream.',
  'http.reverse_proxy.status_text': 'That status with what it is called.',
  'http.reverse_proxy.is_transport_error': 'True where `retry_match` is asked about an error of the connection.',
  'http.reverse_proxy.header.<field>': 'A header field of the response, in `handle_response` routes.',
  'http.reverse_proxy.upstream.address': 'Address of the upstream, as it is dialed.',
  'http.reverse_proxy.upstream.hostport': 'Host and port of the upstream.',
  'http.reverse_proxy.upstream.host': 'Host of the upstream.',
  'http.reverse_proxy.upstream.port': 'Port of the upstream.',
  'http.reverse_proxy.upstream.requests': 'Requests in flight to the upstream, without this one.',
  'http.reverse_proxy.upstream.max_requests': 'Most requests that it may have in flight; 0: any number.',
  'http.reverse_proxy.upstream.fails': 'Failures that passive health checks count now.',
  'http.reverse_proxy.upstream.latency': 'Time to the head of the response, such as `1.5ms`.',
  'http.reverse_proxy.upstream.latency_ms': 'The same in milliseconds.',
  'http.reverse_proxy.upstream.duration': 'Time to the end of the response, such as `1.5ms`.',
  'http.reverse_proxy.upstream.duration_ms': 'The same in milliseconds.',
};
