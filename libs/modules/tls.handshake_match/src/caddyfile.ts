/** Caddyfile syntax of the handshake matchers, for use in the layer 4 matchers `tls` and `quic`. */
import { isObject, type Json } from '@sluice/base';
import { fields, syntax, words, type Grammar, type Syntax } from '@sluice/caddyfile';

const within = ['', 'layer4', ':443'];

const matcher = (example: string, grammar: Grammar): Grammar => ({
  ...grammar,
  within,
  example: `@example tls ${example}\nroute @example {\n\tproxy 10.0.0.1:443\n}`,
});

/** Declares a matcher with a list of arguments. */
const list = (shown: string, example: string): Syntax =>
  syntax(matcher(example, { shown: [shown] }), {
    read: (reader): Json => reader.arguments(1),
    write: (options) => [{ words: words(options) }],
  });

/** Declares a matcher with IP ranges. Ranges that begin with `!` are excluded. */
const ranges = (name: string, excludes: boolean): Syntax =>
  syntax(matcher(`${name} 10.0.0.0/8`, { shown: ['<range>…'] }), {
    read(reader): Json {
      const all = reader.arguments(1);
      const excluded = excludes ? all.filter((range) => range.startsWith('!')).map((range) => range.slice(1)) : [];
      const included = all.filter((range) => !excludes || !range.startsWith('!'));
      return {
        ...(included.length === 0 ? {} : { ranges: included }),
        ...(excluded.length === 0 ? {} : { not_ranges: excluded }),
      };
    },
    write: (options) =>
      isObject(options)
        ? [{ words: [...words(options['ranges']), ...words(options['not_ranges']).map((range) => `!${range}`)] }]
        : null,
  });

export const syntaxes = {
  alpn: list('<protocol>…', 'alpn h2'),
  local_ip: ranges('local_ip', false),
  remote_ip: ranges('remote_ip', true),
  sni: list('<name>…', 'sni example.com'),
  sni_regexp: syntax(
    matcher('sni_regexp ^[a-z]+\\.example\\.com$', { line: fields('<pattern>', ['pattern'], { least: 1 }) }),
  ),
};
