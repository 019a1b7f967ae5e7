/** Caddyfile syntax of the TLS certificate managers. */
import { named, syntax, text } from '@sluice/caddyfile';

const within = ['example.com', 'tls', 'get_certificate %'];

export const syntaxes = {
  http: syntax({
    line: text('<url>', { field: 'url' }),
    finish(_fields, reader) {
      if (reader.nextInBlock(reader.nesting)) throw reader.error('block not allowed here');
      return undefined;
    },
    within,
    example: 'http http://127.0.0.1:9123/certificates',
  }),
  selfsigned: named({ within }),
  tailscale: named({ within }),
};
