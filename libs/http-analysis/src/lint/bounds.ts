/** Pairs of options in which one option limits the other. */
import type { ConfigPath } from '@sluice/base';

/** A pair of options. The value of `inner` must not exceed the value of `outer`. */
export interface Bound {
  /** Module ID, or a document path. A star in the path matches any key. */
  readonly of: string | ConfigPath;
  readonly kind: 'duration' | 'count' | 'version';
  readonly inner: ConfigPath;
  readonly outer: ConfigPath;
  /** True if `inner` must be less than `outer`, and must not be equal. */
  readonly strict?: boolean;
  readonly problem: string;
  readonly advice: string;
}

const proxy = 'http.handlers.reverse_proxy';
const transport = 'http.reverse_proxy.transport.http';
const server: ConfigPath = ['apps', 'http', 'servers', '*'];
const swap = 'swap the two values, or lower this one';

export const bounds: readonly Bound[] = [
  {
    of: proxy,
    kind: 'duration',
    inner: ['health_checks', 'active', 'timeout'],
    outer: ['health_checks', 'active', 'interval'],
    problem: 'the next health check starts before this one times out',
    advice: swap,
  },
  {
    of: proxy,
    kind: 'duration',
    inner: ['health_checks', 'outlier_detection', 'base_ejection_time'],
    outer: ['health_checks', 'outlier_detection', 'max_ejection_time'],
    problem: 'the first ejection is already longer than the maximum',
    advice: swap,
  },
  {
    of: proxy,
    kind: 'duration',
    inner: ['load_balancing', 'try_interval'],
    outer: ['load_balancing', 'try_duration'],
    problem: 'the retry time expires before the first retry',
    advice: swap,
  },
  {
    of: proxy,
    kind: 'duration',
    inner: ['health_checks', 'passive', 'unhealthy_latency'],
    outer: ['transport', 'response_header_timeout'],
    strict: true,
    problem: 'the request times out before its latency counts as unhealthy',
    advice: 'lower this value below the timeout',
  },
  {
    of: transport,
    kind: 'duration',
    inner: ['dial_fallback_delay'],
    outer: ['dial_timeout'],
    strict: true,
    problem: 'the connection attempt times out before the next address is tried',
    advice: 'lower this value below the timeout',
  },
  {
    of: transport,
    kind: 'count',
    inner: ['keep_alive', 'max_idle_conns_per_host'],
    outer: ['keep_alive', 'max_idle_conns'],
    problem: 'no single upstream can reach this number, because the total limit is lower',
    advice: swap,
  },
  {
    of: transport,
    kind: 'count',
    inner: ['keep_alive', 'max_idle_conns_per_host'],
    outer: ['max_conns_per_host'],
    problem: 'an upstream can never reach this number of connections',
    advice: 'lower this value to at most the maximum',
  },
  {
    of: server,
    kind: 'duration',
    inner: ['read_header_timeout'],
    outer: ['read_timeout'],
    problem: 'the request timeout expires before the header timeout',
    advice: swap,
  },
  {
    of: [...server, 'tls_connection_policies', '*'],
    kind: 'version',
    inner: ['protocol_min'],
    outer: ['protocol_max'],
    problem: 'no TLS version remains',
    advice: 'swap the two',
  },
];
