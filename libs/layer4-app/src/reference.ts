/** Reference documentation of the layer 4 package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    layer4: {
      apps: {
        layer4: {
          servers: {
            example: {
              listen: [':5000'],
              routes: [
                { match: [{ ssh: {} }], handle: [{ handler: 'proxy', upstreams: [{ dial: ['10.0.0.1:22'] }] }] },
                { handle: [{ handler: 'echo' }] },
              ],
            },
          },
        },
      },
    },
  },
  placeholders: [
    {
      title: 'Layer 4 connections',
      where: 'Handlers and matchers of the `layer4` app.',
      names: {
        'l4.conn.remote_addr': 'Address and port of the client.',
        'l4.conn.local_addr': 'IP address and port that the client connected to.',
        'l4.vars.<name>': 'Variable set by the `vars` handler.',
        'l4.regexp.<name>.<group>':
          'Capture group of a named regular expression. For an unnamed regular expression, use `l4.regexp.<group>`.',
        'l4.tls.server_name': 'Server name (SNI) of a TLS connection, set by the `tls` matcher or by TLS termination.',
        'l4.tls.version': 'TLS version: `tls1.2` or `tls1.3`.',
        'l4.tls.<name>':
          'TLS details, available after TLS termination. The names are the same as in `http.request.tls.<name>`, such as `cipher_suite` or `client.subject`.',
        'l4.http.host': 'Host of the HTTP request, set by the `http` matcher.',
        'l4.quic.tls.server_name': 'Server name of a QUIC connection, set by the `quic` matcher.',
        'l4.quic.tls.version': 'TLS version of a QUIC connection: `tls1.3`.',
        'l4.quic.version': 'QUIC version: `v1` or `v2`.',
      },
    },
  ],
};
