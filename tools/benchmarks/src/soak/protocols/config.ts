/** Configuration of the servers in the soak test of all protocols. */
import type { MakeConfig } from '../../servers.ts';
import { secureHost } from '../../tls/config.ts';
import { protocols, type Protocol } from './plan.ts';

/** Host whose certificate is replaced by configuration changes. The certificate of `secureHost` is renewed. */
export const replacedHost = 'replaced.test';

/** Paths of the values that change, in the admin API. */
export const changingBody = '/config/apps/http/servers/s/routes/0/handle/0/body';
export const replacedCertificate = '/config/apps/tls/certificates/load_pem/0';

export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

export interface ServedFiles {
  readonly folder: string;
  readonly log: string;
  readonly upstream: number;
  readonly certificate: CertificateAndKey;
  readonly lifetimeSeconds: number;
}

export function protocolConfig(protocol: Protocol, served: ServedFiles): MakeConfig {
  const { folder, log, upstream, certificate, lifetimeSeconds } = served;
  const routes = [
    { match: [{ path: ['/changing'] }], handle: [{ handler: 'static_response', body: 'version 0' }], terminal: true },
    {
      match: [{ path: ['/digest', '/proxied'] }],
      handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${upstream}` }] }],
      terminal: true,
    },
    { handle: [{ handler: 'file_server', root: folder }] },
  ];
  const issuer = { module: 'internal', lifetime: `${lifetimeSeconds}s` };
  return (port) => ({
    logging: { logs: { default: { level: 'WARN', writer: { output: 'file', filename: log } } } },
    apps: {
      pki: { certificate_authorities: { local: { install_trust: false } } },
      tls: {
        certificates: { automate: [secureHost], load_pem: [certificate] },
        automation: {
          renew_interval: `${Math.ceil(lifetimeSeconds / 20)}s`,
          policies: [{ subjects: [secureHost], issuers: [issuer] }],
        },
      },
      http: {
        servers: {
          s: {
            listen: [`127.0.0.1:${port}`],
            automatic_https: { disable: true },
            protocols: protocols.slice(0, protocols.indexOf(protocol) + 1),
            tls_connection_policies: [{ default_sni: secureHost }],
            routes,
          },
        },
      },
    },
  });
}
