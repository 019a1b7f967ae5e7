/** Caddyfile syntax of the listener wrappers in this package. */
import { isObject, type Json } from '@sluice/base';
import { duration, list, none, syntax, word } from '@sluice/caddyfile';
import { readLayer4Routes, routesBlock, writeLayer4Routes } from '@sluice/layer4-app';

const within = ['', 'servers', 'listener_wrappers'];
const policies = ['IGNORE', 'USE', 'REJECT', 'REQUIRE', 'SKIP'];

export const syntaxes = {
  layer4: syntax(
    {
      block: routesBlock,
      within,
      example: 'layer4 {\n\t@ssh ssh\n\troute @ssh {\n\t\tproxy 10.0.0.1:22\n\t}\n}\ntls',
    },
    {
      read(reader): Json {
        const fields: Record<string, Json> = {};
        reader.noArguments();
        readLayer4Routes(reader, fields);
        return fields;
      },
      async write(options, writer) {
        const lines = isObject(options) ? await writeLayer4Routes(options, writer) : null;
        return lines === null ? null : [lines.length === 0 ? {} : { block: lines }];
      },
    },
  ),
  proxy_protocol: syntax({
    line: none,
    block: {
      timeout: duration({ takes: 'more', what: 'proxy_protocol timeout' }),
      allow: list('<range>…', { adds: true, empty: true }),
      deny: list('<range>…', { adds: true, empty: true }),
      fallback_policy: word(policies.join('|').toLowerCase(), {
        takes: 'more',
        convert(reader, text) {
          if (policies.includes(text.toUpperCase())) return text.toUpperCase();
          throw reader.error(`unknown policy: ${text}`);
        },
      }),
    },
    unknown: null,
    within,
    example: 'proxy_protocol {\n\ttimeout 2s\n\tallow 10.0.0.0/8\n}\ntls',
  }),
  // Ignore any arguments and block, as Caddy does.
  http_redirect: syntax({ within, example: 'http_redirect\ntls' }),
  tls: syntax({ within, example: 'proxy_protocol\ntls' }),
};
