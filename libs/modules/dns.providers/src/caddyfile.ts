/** The DNS providers of this package in a Caddyfile, as the plugins of the reference with their names have them. */
import type { Json } from '@sluice/base';
import { syntax, text, type Dispenser, type Term } from '@sluice/caddyfile';

const within = ['example.com', 'tls', 'dns %'];

/** A line with one word. Without one, it sets nothing, as in Caddy. */
const optional = (shown: string, field?: string): Term =>
  text(shown, { takes: 'optional', ...(field === undefined ? {} : { field }) });

/** Returns a `finish` that requires fields, with Caddy's messages. */
function requires(messages: Readonly<Record<string, string>>) {
  return (fields: Record<string, Json>, reader: Dispenser): undefined => {
    for (const [field, message] of Object.entries(messages))
      if ((fields[field] ?? '') === '') throw reader.error(message);
  };
}

export const syntaxes = {
  rfc2136: syntax({
    block: {
      server: optional('<address>'),
      key_name: optional('<name>'),
      key_alg: optional('<algorithm>'),
      key: optional('<base64>'),
    },
    unknown: "unrecognized subdirective '%'",
    finish: requires({
      key: 'rfc2136: missing key',
      key_name: 'rfc2136: missing key_name',
      key_alg: 'rfc2136: missing key_alg',
      server: 'rfc2136: missing server',
    }),
    within,
    example:
      'rfc2136 {\n\tserver 192.0.2.1:53\n\tkey_name sluice\n\tkey_alg hmac-sha256\n\tkey {env.TSIG_KEY}\n}',
  }),
};
