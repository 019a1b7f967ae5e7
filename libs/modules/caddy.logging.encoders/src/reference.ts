/** Reference documentation of this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns an example configuration that logs to standard output with the given encoder. */
const log = (encoder: JsonObject): JsonObject => ({
  logging: { logs: { default: { writer: { output: 'stdout' }, encoder } } },
});

export const reference: PackageReference = {
  examples: {
    'caddy.logging.encoders.append': log({
      format: 'append',
      wrap: { format: 'json' },
      fields: { host: '{system.hostname}' },
    }),
    'caddy.logging.encoders.console': log({ format: 'console', time_format: 'wall_milli', level_format: 'upper' }),
    'caddy.logging.encoders.filter': log({
      format: 'filter',
      wrap: { format: 'json' },
      fields: { 'request>headers>Authorization': { filter: 'delete' } },
    }),
    'caddy.logging.encoders.formatted': log({ format: 'formatted', template: '{common_log}' }),
    'caddy.logging.encoders.journald': log({ format: 'journald', wrap: { format: 'console' } }),
    'caddy.logging.encoders.json': log({ format: 'json', time_format: 'rfc3339' }),
    'caddy.logging.encoders.logfmt': log({ format: 'logfmt' }),
    'caddy.logging.encoders.single_field': log({
      format: 'single_field',
      field: 'request>uri',
      fallback: { format: 'json' },
    }),
    'caddy.logging.encoders.transform': log({ format: 'transform', template: '{common_log}' }),
  },
};
