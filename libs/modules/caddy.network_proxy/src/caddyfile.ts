/** Caddyfile syntax for network proxies. */
import { named, syntax, text } from '@sluice/caddyfile';

const within = [':8080', 'reverse_proxy 10.0.0.1:80 10.0.0.2:80', 'transport http', 'network_proxy %'];

export const syntaxes = {
  url: syntax({
    line: text('<url>', { field: 'url', takes: 'more', keep: true }),
    help: 'Connects through an HTTP, HTTPS or SOCKS5 proxy.',
    within,
    example: 'url http://proxy.example.com:3128',
  }),
  none: named({ within }),
};
