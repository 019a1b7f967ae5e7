/** Options of `layer4.handlers.proxy`. */
import { upstreamTlsOptions } from '@sluice/http-app';
import { layer4Policies } from '@sluice/layer4-app';
import {
  boolean,
  duration,
  inlineModule,
  integer,
  list,
  options,
  string,
  strings,
  structure,
  type Options,
} from '@sluice/registry';

const upstreamOptions = options({
  dial: strings(
    'Addresses to connect to, such as `10.0.0.1:443`, `udp/10.0.0.1:53` or `unix//run/app.sock`. May contain placeholders. If there are several addresses, each receives a copy of the client data, and all responses are sent to the client.',
  ),
  local_address: strings(
    "Local addresses to connect from, with or without a port. The first address of the same IP version as the upstream's address is used. May contain placeholders.",
  ),
  resolver_preference: string(
    'Preferred IP version for host names: ipv4_only, ipv6_only, ipv4_first or ipv6_first. Default: the order in which the resolver returns addresses.',
  ),
  tls: structure(
    'TLS settings for connections to the upstream. `{}` = use TLS with the default settings.',
    upstreamTlsOptions,
  ),
  max_connections: integer('Maximum number of concurrent connections to the upstream. 0 = no limit.'),
  weight: integer('Weight of the upstream for the `weighted_round_robin` policy. Default: 1.'),
});

const activeOptions = options({
  port: integer('Port to connect to for health checks. Default: the port of each address.'),
  interval: duration('Interval between health checks. Default: 30s.'),
  timeout: duration('Connection timeout for a health check. Default: 5s.'),
  fall: integer(
    'Number of consecutive failed health checks after which a healthy upstream is considered unhealthy. Default: 1.',
  ),
  rise: integer(
    'Number of consecutive successful health checks after which an unhealthy upstream is considered healthy. Default: 1.',
  ),
  close_if_unhealthy: boolean('Close existing connections to an upstream when it becomes unhealthy.'),
});

const passiveOptions = options({
  fail_duration: duration(
    'Time for which a failed connection attempt counts against an upstream. 0 = failures are not counted.',
  ),
  max_fails: integer('Number of failed connection attempts at which an upstream is considered unhealthy. Default: 1.'),
  unhealthy_connection_count: integer(
    'Number of concurrent connections at which an upstream is considered unavailable. 0 = no limit.',
  ),
});

/** Options of the layer 4 `proxy` handler. */
export const proxyOptions = options({
  upstreams: list('Upstreams to which connections are proxied.', upstreamOptions),
  health_checks: structure(
    'Health check settings for the upstreams.',
    options({
      active: structure('Active health checks, which connect to the upstreams at regular intervals.', activeOptions),
      passive: structure(
        'Passive health checks, which are based on the outcome of proxied connections.',
        passiveOptions,
      ),
    }),
  ),
  load_balancing: structure(
    'Load balancing and retry settings.',
    options({
      selection: inlineModule('Load balancing policy. Default: random.', layer4Policies, 'policy'),
      try_duration: duration('Maximum time to keep trying to connect to an upstream. Default: 0 = a single attempt.'),
      try_interval: duration('Delay between connection attempts. Default: 250ms.'),
    }),
  ),
  proxy_protocol: string(
    'Version of the PROXY protocol header that sends the client address to the upstream: v1 or v2. Default: no header.',
  ),
});

export type ProxyConfig = Options<typeof proxyOptions>;
/** Validated options of an upstream. */
export type UpstreamConfig = Options<typeof upstreamOptions>;
/** Validated options of active health checks. */
export type ActiveConfig = Options<typeof activeOptions>;
