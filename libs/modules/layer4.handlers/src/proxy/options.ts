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
    'Addresses to connect to: `10.0.0.1:443`, `udp/10.0.0.1:53`, `unix//run/app.sock`. May contain placeholders. If there are several, each gets what the client sends, and all responses go to the client.',
  ),
  local_address: strings(
    "Local addresses to connect from, with or without a port. The first one that has the upstream's address family is used. May contain placeholders.",
  ),
  resolver_preference: string(
    'Address family for host names: ipv4_only, ipv6_only, ipv4_first or ipv6_first. Default: the order of the resolver.',
  ),
  tls: structure('Connect with TLS. `{}` = default settings.', upstreamTlsOptions),
  max_connections: integer('Maximum number of concurrent connections. 0 = no limit.'),
  weight: integer('Weight for the `weighted_round_robin` policy. Default: 1.'),
});

const activeOptions = options({
  port: integer('Port to check. Default: the port of each address.'),
  interval: duration('Interval between checks. Default: 30s.'),
  timeout: duration('Connect timeout of a check. Default: 5s.'),
  fall: integer('Number of consecutive failed checks that make an upstream unhealthy. Default: 1.'),
  rise: integer('Number of consecutive passed checks that make an upstream healthy again. Default: 1.'),
  close_if_unhealthy: boolean('Close the connections of an upstream when it becomes unhealthy.'),
});

const passiveOptions = options({
  fail_duration: duration('Time for which a failed connection attempt counts. 0 = failures are not counted.'),
  max_fails: integer('Number of failures that make an upstream unhealthy. Default: 1.'),
  unhealthy_connection_count: integer('Number of connections at which an upstream is unavailable. 0 = no limit.'),
});

/** Options of the handler. */
export const proxyOptions = options({
  upstreams: list('Upstreams.', upstreamOptions),
  health_checks: structure(
    'Health checks.',
    options({
      active: structure('Active health checks, which connect to upstreams regularly.', activeOptions),
      passive: structure('Passive health checks, which evaluate proxied connections.', passiveOptions),
    }),
  ),
  load_balancing: structure(
    'Load balancing and retries.',
    options({
      selection: inlineModule('Selection policy. Default: random.', layer4Policies, 'policy'),
      try_duration: duration('Maximum time to try upstreams. Default: 0 = a single attempt.'),
      try_interval: duration('Delay between attempts. Default: 250ms.'),
    }),
  ),
  proxy_protocol: string('Send the client address in a PROXY protocol header: v1 or v2.'),
});

/** Checked options of the handler. */
export type ProxyConfig = Options<typeof proxyOptions>;
/** Checked options of an upstream. */
export type UpstreamConfig = Options<typeof upstreamOptions>;
/** Validated options of active health checks. */
export type ActiveConfig = Options<typeof activeOptions>;
