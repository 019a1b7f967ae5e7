import {
  boolean,
  duration,
  inlineModule,
  integer,
  options,
  string,
  strings,
  structure,
  type Options,
} from '@sluice/registry';
import { networkProxies, upstreamTlsOptions } from '@sluice/http-app';
import { resolverOptions } from '../../common/resolver.ts';

const keepAliveOptions = options({
  enabled: boolean('Keep connections to the upstreams open and reuse them. Default: true.'),
  probe_interval: duration('Interval between TCP keep-alive probes. Default: 30s.'),
  max_idle_conns: integer('Maximum number of idle connections across all upstreams. 0 = no limit.'),
  max_idle_conns_per_host: integer('Maximum number of idle connections per upstream and thread. Default: 256.'),
  idle_timeout: duration('Time after which idle upstream connections are closed. Default: 2m.'),
});

export const httpTransportOptions = options({
  resolver: structure('DNS resolver for upstream host names.', resolverOptions),
  tls: structure(
    'TLS settings for connections to upstreams. `{}` = use TLS with the default settings.',
    upstreamTlsOptions,
  ),
  keep_alive: structure('Settings for reusing connections (keep-alive).', keepAliveOptions),
  compression: boolean(
    'If a client does not send Accept-Encoding, request gzip-compressed responses from the upstream and decompress them. Default: true.',
  ),
  max_conns_per_host: integer(
    'Maximum number of connections per upstream and thread. Additional requests wait for a free connection. 0 = no limit.',
  ),
  proxy_protocol: string(
    'Version of the PROXY protocol header that sends the client address to the upstream: v1 or v2. Default: no header.',
  ),
  forward_proxy_url: string('URL of a proxy for connections to upstreams. Deprecated: use `network_proxy`.'),
  dial_timeout: duration('Timeout for establishing a connection to an upstream. Default: 3s.'),
  dial_fallback_delay: duration(
    'Delay before connecting to the next IP address of a host in parallel (Happy Eyeballs). Default: 300ms. Negative = disabled.',
  ),
  response_header_timeout: duration(
    'Timeout for receiving the response header, measured from the end of the request. 0 = no timeout.',
  ),
  expect_continue_timeout: duration(
    'Time to wait for a `100 Continue` response before sending the body of a request with an Expect header field. 0 = do not wait.',
  ),
  max_response_header_size: integer('Maximum size of a response header, in bytes. Default: 10 MiB.'),
  write_buffer_size: integer('Accepted but ignored: buffer sizes cannot be configured.'),
  read_buffer_size: integer('Accepted but ignored: buffer sizes cannot be configured.'),
  read_timeout: duration('Maximum time between two reads from the upstream. 0 = no timeout.'),
  write_timeout: duration('Timeout for each write to the upstream. 0 = no timeout.'),
  versions: strings(
    'HTTP versions to use for upstreams: any combination of 1.1, 2 and h2c, or 3 alone. Default: 1.1 and 2.',
  ),
  local_address: string('Local address for connections to upstreams.'),
  network_proxy: inlineModule('Proxy for connections to upstreams.', networkProxies, 'from'),
});

/** Validated options. */
export type HttpTransportConfig = Options<typeof httpTransportOptions>;
