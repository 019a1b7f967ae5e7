/** Reference documentation for the modules in this package. */
import type { Json, JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns a layer 4 server whose route has the matcher. */
const route = (name: string, options: Json, listen = ':443'): [string, JsonObject] => [
  `layer4.matchers.${name}`,
  {
    apps: {
      layer4: {
        servers: {
          example: {
            listen: [listen],
            routes: [
              { match: [{ [name]: options }], handle: [{ handler: 'proxy', upstreams: [{ dial: ['10.0.0.1:443'] }] }] },
            ],
          },
        },
      },
    },
  },
];

export const reference: PackageReference = {
  examples: Object.fromEntries([
    route('clock', { after: '08:00:00', before: '20:00:00', timezone: 'Europe/Vienna' }),
    route('dns', { allow: [{ name: 'example.com.', type: 'NS' }], default_deny: true }, 'udp/:53'),
    route('http', [{ host: ['example.com'] }]),
    route('local_ip', { ranges: ['192.0.2.1'] }),
    route('not', [{ remote_ip: { ranges: ['10.0.0.0/8'] } }]),
    route('postgres', { user: { alice: ['planets'] }, tls: 'disabled' }),
    route('proxy_protocol', {}),
    route('quic', { sni: ['example.com'] }, 'udp/:443'),
    route('regexp', { pattern: '^\\x16\\x03', count: 2 }),
    route('remote_ip', { ranges: ['10.0.0.0/8', '2001:db8::/32'] }),
    route('remote_ip_list', { remote_ip_file: '/tmp/sluice-example/partners.txt' }),
    route('socks4', { commands: ['CONNECT'], ports: [443] }),
    route('socks5', { auth_methods: [0, 2] }),
    route('ssh', {}),
    route('tls', { sni: ['example.com'], alpn: ['h2'] }),
    route('vars', { '{l4.tls.server_name}': ['example.com'] }),
    route('vars_regexp', { '{l4.tls.server_name}': { name: 'host', pattern: '^([a-z]+)\\.example\\.com$' } }),
    route('wireguard', {}, 'udp/:51820'),
    route('xmpp', {}),
  ]),
};
