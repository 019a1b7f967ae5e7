/** Caddyfile syntax for the IP address sources in this package. */
import { isIP } from 'node:net';
import { list, syntax, text, word, words } from '@sluice/caddyfile';

const within = ['', 'dynamic_dns', 'ip_source %'];

export const syntaxes = {
  interface: syntax({ line: text('<name>', { field: 'name', takes: 'more' }), within, example: 'interface eth0' }),
  simple_http: syntax({
    line: word('<url>', {
      field: 'endpoints',
      convert: (_, url) => [url],
      words: (urls) => (words(urls).length === 1 ? words(urls) : null),
    }),
    within,
    example: 'simple_http https://icanhazip.com',
  }),
  static: syntax({
    line: list('<address>…', {
      field: 'ips',
      empty: true,
      each(reader, address) {
        if (isIP(address) === 0) throw reader.error(`Invalid IP address '${address}'`);
        return address;
      },
    }),
    within,
    example: 'static 192.0.2.7 2001:db8::7',
  }),
  upnp: syntax({ line: text('[<url>]', { field: 'endpoint', takes: 'any' }), within, example: 'upnp' }),
};
