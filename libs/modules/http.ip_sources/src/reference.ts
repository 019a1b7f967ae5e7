/** Reference documentation for the modules in this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'http.ip_sources.static': {
      apps: {
        http: {
          servers: {
            example: {
              listen: [':8080'],
              trusted_proxies: { source: 'static', ranges: ['10.0.0.0/8'] },
              routes: [{ handle: [{ handler: 'static_response', body: '{http.vars.client_ip}' }] }],
            },
          },
        },
      },
    },
  },
};
