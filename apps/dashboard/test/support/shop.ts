/** Typical configuration: a proxy, files, a redirect, and a fallback. */
import type { Json } from '@sluice/base';
import { setAt } from '../../src/page/base/json.ts';

/** A route with an `@id`. */
export const hello: Json = {
  '@id': 'hello',
  match: [{ path: ['/hello'] }],
  handle: [{ handler: 'static_response', body: 'hello' }],
};

/** Redirects a host that has moved. */
export const moved: Json = {
  match: [{ host: ['old.example.com'] }],
  handle: [{ handler: 'static_response', status_code: 301, headers: { Location: ['https://shop.example.com/'] } }],
  terminal: true,
};

/** Fallback route for all other requests. */
export const missing: Json = { handle: [{ handler: 'static_response', status_code: 404, body: 'nothing here' }] };

/** Routes of a server that listens on a free port. */
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

/** Returns the configuration for a server that listens on a port. */
export function shopOn(port: number): Json {
  return setAt(shop, ['apps', 'http', 'servers', 'demo', 'listen'], [`127.0.0.1:${port}`]);
}
