/** The directive `reverse_proxy [matcher] UPSTREAM… { … }`. */
import { handler, readInto, responseMatchers } from '@sluice/caddyfile';
import { proxyOptions, upstreams } from './caddyfile/options.ts';
import { ProxyDraft } from './caddyfile/proxy-draft.ts';

const grammar = {
  line: upstreams('[<upstream>…]'),
  block: proxyOptions,
  others: responseMatchers,
  help: 'Proxies requests to upstreams, with load balancing, health checks and retries. An upstream is `host:port`, a URL, or `unix//path`.',
  example:
    'reverse_proxy /api/* localhost:9000 localhost:9001 {\n\tlb_policy least_conn\n\thealth_uri /health\n\theader_up X-Site {host}\n}',
};

export const reverseProxy = handler('reverse_proxy', grammar, {
  read(reader) {
    const draft = new ProxyDraft();
    readInto(grammar, reader, draft);
    return draft.json(reader);
  },
});
