/** Pairs of options of which one bounds the other. */
import type { ConfigPath } from '@sluice/base';

/** Pair of options: `inner` must not exceed `outer`. */
export interface Bound {
  /** Module ID, or a path in the document in which a star matches every key. */
  readonly of: string | ConfigPath;
  readonly kind: 'duration' | 'count' | 'version';
  readonly inner: ConfigPath;
  readonly outer: ConfigPath;
  /** True if `inner` must be less than `outer`, not equal. */
  readonly strict?: boolean;
  readonly problem: string;
  readonly advice: string;
}

const proxy = 'http.handlers.reverse_proxy';
const transport = 'http.reverse_proxy.transport.http';
const server: ConfigPath = ['apps', 'http', 'servers', '*'];
const swap = 'swap the two, or lower it';

export const bounds: readonly Bound[] = [
  {
    of: proxy,
    kind: 'duration',
    inner: ['health_checks', 'active', 'timeout'],
    outer: ['health_checks', 'active', 'interval'],
    problem: 'the next health check starts before this one has timed out',
    advice: swap,
  },
  {
    of: proxy,
    kind: 'duration',
    inner: ['load_balancing', 'try_interval'],
    outer: ['load_balancing', 'try_duration'],
    problem: 'the time for retries is over before the first retry',
    advice: swap,
  },
  {
    of: proxy,
    kind: 'duration',
    inner: ['health_checks', 'passive', 'unhealthy_latency'],
    outer: ['transport', 'response_header_timeout'],
    strict: true,
    problem: 'the request has timed out before its latency counts as unhealthy',
    advice: 'lower it below the timeout',
  },
  {
    of: transport,
    kind: 'duration',
    inner: ['dial_fallback_delay'],
    outer: ['dial_timeout'],
    strict: true,
    problem: 'connecting has timed out before the next address is tried',
    advice: 'lower it below the timeout',
  },
  {
    of: transport,
    kind: 'count',
    inner: ['keep_alive', 'max_idle_conns_per_host'],
    outer: ['keep_alive', 'max_idle_conns'],
    problem: 'one upstream never has that many, because all together have fewer',
    advice: swap,
  },
  {
    of: transport,
    kind: 'count',
    inner: ['keep_alive', 'max_idle_conns_per_host'],
    outer: ['max_conns_per_host'],
    problem: 'an upstream never has that many connections',
    advice: 'lower it to the maximum',
  },
  {
    of: server,
    kind: 'duration',
    inner: ['read_header_timeout'],
    outer: ['read_timeout'],
    problem: 'the time for the whole request is over before that for its head',
    advice: swap,
  },
  {
    of: [...server, 'tls_connection_policies', '*'],
    kind: 'version',
    inner: ['protocol_min'],
    outer: ['protocol_max'],
    problem: 'no version of TLS is left',
    advice: 'swap the two',
  },
];
