/** Objects for tests. */
import { execFileSync } from 'node:child_process';
import type { FakeObject } from './fake-api-server.ts';

export const gatewayClass = (controllerName = 'sluice.dev/gateway-controller'): FakeObject => ({
  metadata: { name: 'sluice' },
  spec: { controllerName },
});

export const gateway = (name: string, listeners: readonly object[], spec: object = {}): FakeObject => ({
  metadata: { name, namespace: 'web' },
  spec: { gatewayClassName: 'sluice', listeners, ...spec },
});

export const httpListener = (name: string, options: object = {}): object => ({
  name,
  port: 80,
  protocol: 'HTTP',
  allowedRoutes: { namespaces: { from: 'Same' } },
  ...options,
});

export const route = (name: string, rules: readonly object[], spec: object = {}): FakeObject => ({
  metadata: { name, namespace: 'web' },
  spec: { parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'gateway' }], rules, ...spec },
});

export const pathMatch = (value: string, type = 'PathPrefix'): object => ({ path: { type, value } });

export const backend = (name: string, options: object = {}): object => ({ name, port: 80, ...options });

export const service = (name: string, namespace = 'web'): FakeObject => ({
  metadata: { name, namespace },
  spec: { ports: [{ name: 'http', port: 80 }] },
});

export const slice = (name: string, addresses: readonly string[], namespace = 'web', port = 8080): FakeObject => ({
  metadata: { name: `${name}-1`, namespace, labels: { 'kubernetes.io/service-name': name } },
  ports: [{ name: 'http', port }],
  endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
});

let pair: { readonly certificate: string; readonly key: string } | null = null;

/** Returns a TLS Secret. All Secrets of a test run contain the same certificate. */
export function tlsSecret(name: string): FakeObject {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '-'];
  const text =
    pair === null
      ? execFileSync('openssl', ['req', '-x509', ...key, '-subj', '/CN=a.test'], { stdio: 'pipe' }).toString()
      : '';
  pair ??= { certificate: pem(text, 'CERTIFICATE'), key: pem(text, 'PRIVATE KEY') };
  return { metadata: { name, namespace: 'web' }, data: { 'tls.crt': pair.certificate, 'tls.key': pair.key } };
}

function pem(text: string, label: string): string {
  const [found = ''] = new RegExp(`-----BEGIN ${label}-----[^]+-----END ${label}-----\\n`).exec(text) ?? [];
  return Buffer.from(found).toString('base64');
}
