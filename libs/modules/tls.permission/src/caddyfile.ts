/** Caddyfile syntax of the permission modules for on-demand certificates. */
import { alias, syntax, text } from '@sluice/caddyfile';

export const syntaxes = {
  http: syntax({
    line: text('<url>', { field: 'endpoint', takes: 'optional' }),
    block: { endpoint: alias(text('<url>', { keep: true })) },
    unknown: "unrecognized subdirective '%'",
    finish(fields, reader) {
      if (fields['endpoint'] === undefined) throw reader.argumentError();
      return undefined;
    },
    within: ['', 'on_demand_tls', 'permission %'],
    example: 'http http://127.0.0.1:9123/ask',
  }),
};
