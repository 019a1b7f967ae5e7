/** Reference documentation for the modules in this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns a reverse proxy handler with these options. */
const proxy = (options: JsonObject): JsonObject => ({
  apps: {
    http: {
      servers: {
        example: {
          listen: [':8080'],
          routes: [
            {
              handle: [
                {
                  handler: 'reverse_proxy',
                  upstreams: [{ dial: 'localhost:9000' }, { dial: 'localhost:9001' }],
                  ...options,
                },
              ],
            },
          ],
        },
      },
    },
  },
});

/** Returns a reverse proxy handler with this selection policy. */
const policy = (selection: JsonObject): JsonObject => proxy({ load_balancing: { selection_policy: selection } });

export const reference: PackageReference = {
  examples: {
    'http.reverse_proxy.selection_policies.client_ip_hash': policy({ policy: 'client_ip_hash' }),
    'http.reverse_proxy.selection_policies.cookie': policy({
      policy: 'cookie',
      name: 'lb',
      secret: '{env.LB_SECRET}',
      fallback: { policy: 'least_conn' },
    }),
    'http.reverse_proxy.selection_policies.first': policy({ policy: 'first' }),
    'http.reverse_proxy.selection_policies.header': policy({ policy: 'header', field: 'X-Tenant' }),
    'http.reverse_proxy.selection_policies.ip_hash': policy({ policy: 'ip_hash' }),
    'http.reverse_proxy.selection_policies.least_conn': policy({ policy: 'least_conn' }),
    'http.reverse_proxy.selection_policies.query': policy({ policy: 'query', key: 'tenant' }),
    'http.reverse_proxy.selection_policies.random': policy({ policy: 'random' }),
    'http.reverse_proxy.selection_policies.random_choose': policy({ policy: 'random_choose', choose: 2 }),
    'http.reverse_proxy.selection_policies.round_robin': policy({ policy: 'round_robin' }),
    'http.reverse_proxy.selection_policies.uri_hash': policy({ policy: 'uri_hash' }),
    'http.reverse_proxy.selection_policies.weighted_round_robin': policy({
      policy: 'weighted_round_robin',
      weights: [3, 1],
    }),
    'http.reverse_proxy.transport.fastcgi': proxy({
      transport: { protocol: 'fastcgi', root: '/srv/app', split_path: ['.php'] },
      upstreams: [{ dial: 'unix//run/php/php-fpm.sock' }],
    }),
    'http.reverse_proxy.transport.http': proxy({
      transport: { protocol: 'http', tls: { server_name: 'app.example.com' }, response_header_timeout: '30s' },
    }),
    'http.reverse_proxy.upstreams.a': proxy({
      upstreams: null,
      dynamic_upstreams: { source: 'a', name: 'app.example.com', port: '9000', refresh: '30s' },
    }),
    'http.reverse_proxy.upstreams.multi': proxy({
      upstreams: null,
      dynamic_upstreams: {
        source: 'multi',
        sources: [
          { source: 'srv', name: '_app._tcp.example.com' },
          { source: 'a', name: 'spare.example.com', port: '9000' },
        ],
      },
    }),
    'http.reverse_proxy.upstreams.srv': proxy({
      upstreams: null,
      dynamic_upstreams: { source: 'srv', service: 'app', proto: 'tcp', name: 'example.com' },
    }),
  },
};
