/** Reference documentation for the modules in this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns a server that requires TLS 1.3 for connections that match. */
const policy = (match: JsonObject): JsonObject => ({
  apps: {
    http: {
      servers: {
        example: {
          listen: [':8443'],
          routes: [{ match: [{ host: ['example.com'] }], handle: [{ handler: 'static_response', body: 'hello' }] }],
          tls_connection_policies: [{ match, protocol_min: 'tls1.3' }, {}],
        },
      },
    },
    tls: {
      certificates: {
        load_files: [{ certificate: '/tmp/sluice-example/example.pem', key: '/tmp/sluice-example/example.key' }],
      },
    },
  },
});

export const reference: PackageReference = {
  examples: {
    'tls.handshake_match.alpn': policy({ alpn: ['h2'] }),
    'tls.handshake_match.local_ip': policy({ local_ip: { ranges: ['127.0.0.1'] } }),
    'tls.handshake_match.not': policy({ not: [{ sni: ['old.example.com'] }] }),
    'tls.handshake_match.remote_ip': policy({ remote_ip: { ranges: ['10.0.0.0/8'] } }),
    'tls.handshake_match.sni': policy({ sni: ['example.com', '*.example.com'] }),
    'tls.handshake_match.sni_regexp': policy({ sni_regexp: { pattern: '^[a-z]+\\.example\\.com$' } }),
  },
};
