/** Terms that global options and the option `servers` share. */
import { flag, oneOf, type Term } from '@sluice/caddyfile';

/** `error_pages on|off`, which `servers` has as well. */
export const errorPages: Term = oneOf(['on', 'off'], {
  otherwise: (value) => `error_pages must be 'on' or 'off', got '${value}'`,
});

/** Options of `metrics`. */
export const metricsOptions = { per_host: flag(), observe_catchall_hosts: flag(), otlp: flag() };
