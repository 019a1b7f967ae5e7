/** TLS configurations that use certificates from the internal CA issuer. */

/** Host name in the certificate. Clients also send it as SNI. */
export const secureHost = 'localhost';

/** Key type of a certificate. */
export type KeyType = 'p256' | 'rsa2048';

/** Returns the same server as `withRoutes`, but over TLS. `keyType` is the key type of its certificate. */
export function overTls(
  routes: readonly unknown[],
  http: object = {},
  keyType: KeyType = 'p256',
  protocols: readonly string[] = ['h1', 'h2'],
): (port: number) => unknown {
  return (port) => ({
    apps: {
      pki: { certificate_authorities: { local: { install_trust: false } } },
      tls: {
        certificates: { automate: [secureHost] },
        automation: { policies: [{ subjects: [secureHost], key_type: keyType, issuers: [{ module: 'internal' }] }] },
      },
      http: {
        ...http,
        servers: {
          s: {
            listen: [`127.0.0.1:${port}`],
            automatic_https: { disable: true },
            protocols,
            tls_connection_policies: [{ default_sni: secureHost }],
            routes,
          },
        },
      },
    },
  });
}
