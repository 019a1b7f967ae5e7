/** A typical configuration with a proxy, a file server, a redirect, and a fallback. */
import type { Json } from '@sluice/base';
import { setAt } from '../../src/page/base/json.ts';

/** A route that has an `@id`. */
export const hello: Json = {
  '@id': 'hello',
  match: [{ path: ['/hello'] }],
  handle: [{ handler: 'static_response', body: 'hello' }],
};

/** A route that redirects a host that has moved. */
export const moved: Json = {
  match: [{ host: ['old.example.com'] }],
  handle: [{ handler: 'static_response', status_code: 301, headers: { Location: ['https://shop.example.com/'] } }],
  terminal: true,
};

/** Fallback route that responds with 404 to all other requests. */
export const missing: Json = { handle: [{ handler: 'static_response', status_code: 404, body: 'nothing here' }] };

/** Configuration whose server listens on a free port. */
export const shop: Json = {
  admin: { listen: '127.0.0.1:0' },
  logging: { logs: { default: { writer: { output: 'discard' } } } },
  apps: {
    http: {
      servers: {
        demo: {
          listen: ['127.0.0.1:0'],
          automatic_https: { disable: true },
          routes: [
            hello,
            {
              '@id': 'shop',
              match: [{ host: ['shop.example.com'] }],
              handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: '127.0.0.1:9' }, { dial: '127.0.0.2:9' }] }],
              terminal: true,
            },
            {
              '@id': 'blog',
              match: [{ host: ['blog.example.com', 'www.blog.example.com'] }],
              handle: [
                {
                  handler: 'subroute',
                  routes: [{ handle: [{ handler: 'encode', encodings: { gzip: {} } }, { handler: 'file_server' }] }],
                },
              ],
              terminal: true,
            },
            moved,
            missing,
          ],
        },
      },
    },
  },
};

/** Returns the configuration of a server that listens on the given port. */
export function shopOn(port: number): Json {
  return setAt(shop, ['apps', 'http', 'servers', 'demo', 'listen'], [`127.0.0.1:${port}`]);
}
