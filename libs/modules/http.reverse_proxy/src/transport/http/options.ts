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
  enabled: boolean('Keep connections open for further requests. Default: true.'),
  probe_interval: duration('Interval between TCP keep-alive probes. Default: 30s.'),
  max_idle_conns: integer('Maximum number of idle connections across all upstreams. 0 = no limit.'),
  max_idle_conns_per_host: integer('Maximum number of idle connections per upstream and thread. Default: 256.'),
  idle_timeout: duration('Idle timeout of connections. Default: 2m.'),
});

export const httpTransportOptions = options({
  resolver: structure('DNS resolver for host names.', resolverOptions),
  tls: structure('Connect with TLS. `{}` = default settings.', upstreamTlsOptions),
  keep_alive: structure('Connection keep-alive.', keepAliveOptions),
  compression: boolean('Request gzip and decode it, if the client does not request an encoding. Default: true.'),
  max_conns_per_host: integer(
    'Maximum number of connections per upstream and thread; further requests wait. 0 = no limit.',
  ),
  proxy_protocol: string('Send the client address in a PROXY protocol header: v1 or v2.'),
  forward_proxy_url: string('Proxy to connect through. Deprecated: use network_proxy.'),
  dial_timeout: duration('Connect timeout. Default: 3s.'),
  dial_fallback_delay: duration(
    'Delay before also trying the next address of a host, in parallel. Default: 300ms. Negative = disabled.',
  ),
  response_header_timeout: duration('Timeout for the response header, from the end of the request. 0 = no timeout.'),
  expect_continue_timeout: duration(
    'For requests with Expect: time to wait for 100 Continue before sending the body. 0 = do not wait.',
  ),
  max_response_header_size: integer('Maximum size of a response header, in bytes. Default: 10 MiB.'),
  write_buffer_size: integer('Accepted but ignored: buffer sizes cannot be configured.'),
  read_buffer_size: integer('Accepted but ignored: see write_buffer_size.'),
  read_timeout: duration('Timeout between two reads. 0 = no timeout.'),
  write_timeout: duration('Timeout of a write. 0 = no timeout.'),
  versions: strings('HTTP versions: 1.1, 2, h2c, or only 3. Default: 1.1 and 2.'),
  local_address: string('Local address to connect from.'),
  network_proxy: inlineModule('Proxy to connect through.', networkProxies, 'from'),
});

/** Validated options. */
export type HttpTransportConfig = Options<typeof httpTransportOptions>;
