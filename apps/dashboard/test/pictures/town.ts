/** Configuration for the screenshots: several sites, upstreams of which one is unhealthy, and certificates of the internal CA. */
import type { Json } from '@sluice/base';
import { hello, missing, moved } from '../support/shop.ts';

/** Returns the configuration. `port` is the port of the server. `dials` are the addresses of healthy upstreams. */
export function town(port: number, dials: readonly string[]): Json {
  const [first = '', second = '', third = ''] = dials;
  const checks = { active: { uri: '/', interval: '5s', timeout: '2s' } };
  return {
    logging: { logs: { default: { writer: { output: 'stdout' } } } },
    apps: {
      http: {
        servers: {
          demo: {
            listen: [`127.0.0.1:${port}`],
            automatic_https: { disable: true },
            logs: {},
            routes: [
              hello,
              {
                '@id': 'shop',
                match: [{ host: ['shop.example.com'] }],
                handle: [
                  {
                    handler: 'reverse_proxy',
                    upstreams: [{ dial: first }, { dial: second }],
                    load_balancing: { selection_policy: { policy: 'weighted_round_robin', weights: [3, 1] } },
                    health_checks: checks,
                  },
                ],
                terminal: true,
              },
              {
                '@id': 'api',
                match: [{ host: ['api.example.com'] }],
                handle: [
                  {
                    handler: 'reverse_proxy',
                    upstreams: [{ dial: third }, { dial: '127.0.0.1:9' }],
                    health_checks: checks,
                  },
                ],
                terminal: true,
              },
              {
                '@id': 'blog',
                match: [{ host: ['blog.example.com', 'www.blog.example.com'] }],
                handle: [{ handler: 'static_response', body: 'A blog.' }],
                terminal: true,
              },
              moved,
              missing,
            ],
          },
        },
      },
      tls: {
        certificates: { automate: ['shop.example.com', 'api.example.com', 'blog.example.com'] },
        automation: { policies: [{ issuers: [{ module: 'internal' }] }] },
      },
      pki: { certificate_authorities: { local: { install_trust: false } } },
    },
  };
}
