/** Descriptions of the `{http.reverse_proxy.*}` placeholders for the reference documentation. The type checker reports missing descriptions. */
import type { ProxyPlaceholder } from './placeholders.ts';

export const proxyPlaceholders: Readonly<Record<ProxyPlaceholder, string>> = {
  'http.reverse_proxy.duration': 'Time since the request was received, such as `1.5ms`.',
  'http.reverse_proxy.duration_ms': 'Time since the request was received, in milliseconds.',
  'http.reverse_proxy.retries': 'Number of retries.',
  'http.reverse_proxy.queue_duration':
    'Time that the request waited in the queue for an upstream, such as `1.5ms`; empty if it did not wait.',
  'http.reverse_proxy.queue_duration_ms': 'Time that the request waited in the queue for an upstream, in milliseconds.',
  'http.reverse_proxy.status_code': 'Status code of the upstream response.',
  'http.reverse_proxy.status_text': 'Status code and text of the upstream response.',
  'http.reverse_proxy.is_transport_error': '`true` in `retry_match` if the attempt failed with a connection error.',
  'http.reverse_proxy.header.<field>': 'Upstream response header field, in `handle_response` routes.',
  'http.reverse_proxy.upstream.address': 'Upstream address, as dialed.',
  'http.reverse_proxy.upstream.hostport': 'Host and port of the upstream.',
  'http.reverse_proxy.upstream.host': 'Host of the upstream.',
  'http.reverse_proxy.upstream.port': 'Port of the upstream.',
  'http.reverse_proxy.upstream.requests': 'Number of in-flight requests to the upstream, excluding this request.',
  'http.reverse_proxy.upstream.max_requests': 'Maximum number of in-flight requests to the upstream; 0 = no limit.',
  'http.reverse_proxy.upstream.fails': 'Current number of failures counted by passive health checks.',
  'http.reverse_proxy.upstream.latency': "Time until the upstream's response header was received, such as `1.5ms`.",
  'http.reverse_proxy.upstream.latency_ms': "Time until the upstream's response header was received, in milliseconds.",
  'http.reverse_proxy.upstream.duration': 'Time until the end of the upstream response, such as `1.5ms`.',
  'http.reverse_proxy.upstream.duration_ms': 'Time until the end of the upstream response, in milliseconds.',
};
