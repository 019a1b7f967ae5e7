/** The directive `mirror [matcher] UPSTREAM… { share SHARE; max_concurrent N; max_body_size SIZE; timeout DURATION; … }`. */
import { duration, handler, integer, optionsOf, readInto, size, word } from '@sluice/caddyfile';
import { proxyOptions, upstreams } from '../reverse_proxy/caddyfile/options.ts';
import { ProxyDraft } from '../reverse_proxy/caddyfile/proxy-draft.ts';

/** Options that `mirror` and `reverse_proxy` share. */
const shared = new Set(['to', 'lb_policy', 'trusted_proxies', 'header_up', 'method', 'rewrite', 'transport']);
const sharedOptions = Object.fromEntries(Object.entries(proxyOptions).filter(([name]) => shared.has(name)));

const grammar = {
  line: upstreams('[<upstream>…]'),
  block: {
    share: word('<percentage>|<fraction>', {
      help: 'Fraction of requests to copy, such as `10%` or `0.1`. Requests are chosen at random. Default: all requests.',
      keep: true,
      convert(reader, value) {
        const [, digits = '', percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(value) ?? [];
        const share = percent === '%' ? Number(digits) / 100 : Number(digits);
        if (digits === '' || share > 1)
          throw reader.error(`bad share '${value}': write a percentage such as 10%, or a fraction such as 0.1`);
        return share;
      },
    }),
    max_concurrent: integer('<number>'),
    max_body_size: size({ keep: true }),
    timeout: duration(),
    ...optionsOf('reverse_proxy', sharedOptions),
  },
  unknown: "unrecognized mirror subdirective '%'",
  help: 'Sends copies of requests to additional upstreams and discards the responses. Clients never wait for a copy.',
  example: 'mirror localhost:9001 {\n\tshare 10%\n}\nreverse_proxy localhost:9000',
};

export const mirror = handler('mirror', grammar, {
  read(reader) {
    const draft = new ProxyDraft();
    readInto(grammar, reader, draft);
    return draft.json(reader);
  },
});
