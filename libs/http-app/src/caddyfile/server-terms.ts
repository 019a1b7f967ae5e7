import { flag, oneOf, type Term } from '@sluice/caddyfile';

/** Declares `error_pages on|off`, which is a global option and is also available in `servers`. */
export const errorPages: Term = oneOf(['on', 'off'], {
  otherwise: (value) => `error_pages must be 'on' or 'off', got '${value}'`,
});

export const metricsOptions = { per_host: flag(), observe_catchall_hosts: flag(), otlp: flag() };
