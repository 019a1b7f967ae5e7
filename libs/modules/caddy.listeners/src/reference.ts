/** Reference documentation of this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns an example server with listener wrappers before TLS. */
const wrapped = (...listener_wrappers: JsonObject[]): JsonObject => ({
  apps: {
    http: {
      servers: {
        example: {
          listen: [':8443'],
          listener_wrappers,
          routes: [{ handle: [{ handler: 'static_response', body: 'hello' }] }],
        },
      },
    },
  },
});

export const reference: PackageReference = {
  examples: {
    'caddy.listeners.http_redirect': wrapped({ wrapper: 'http_redirect' }, { wrapper: 'tls' }),
    'caddy.listeners.layer4': wrapped(
      {
        wrapper: 'layer4',
        routes: [{ match: [{ ssh: {} }], handle: [{ handler: 'proxy', upstreams: [{ dial: ['10.0.0.1:22'] }] }] }],
      },
      { wrapper: 'tls' },
    ),
    'caddy.listeners.proxy_protocol': wrapped(
      { wrapper: 'proxy_protocol', allow: ['10.0.0.0/8'], timeout: '2s' },
      { wrapper: 'tls' },
    ),
    'caddy.listeners.tls': wrapped({ wrapper: 'proxy_protocol', allow: ['10.0.0.0/8'] }, { wrapper: 'tls' }),
  },
};
