/** Kubernetes objects that Gateways and Ingresses refer to. */
import { execFileSync } from 'node:child_process';
import type { Kind } from './kind.ts';

const namespaces = ['web', 'api'] as const;

const inNamespaces = (...names: readonly string[]): readonly string[] =>
  namespaces.flatMap((namespace) => names.map((name) => `${namespace}/${name}`));

const port = (name: string, number: number, options: object = {}): object => ({ name, port: number, ...options });

const slice = (service: string, addresses: readonly string[], ready = true): object => ({
  metadata: { labels: { 'kubernetes.io/service-name': service } },
  addressType: 'IPv4',
  ports: [
    { name: 'http', port: 3000 },
    { name: 'udp', port: 3001, protocol: 'UDP' },
  ],
  endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready } })),
});

interface Pair {
  readonly certificate: string;
  readonly key: string;
}

function selfSigned(name: string): Pair {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '-'];
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const text = execFileSync('openssl', ['req', '-x509', ...key, ...names], { stdio: 'pipe' }).toString();
  const part = (label: string): string =>
    new RegExp(`-----BEGIN ${label}-----[^]+-----END ${label}-----\\n`).exec(text)?.[0] ?? '';
  return { certificate: part('CERTIFICATE'), key: part('PRIVATE KEY') };
}

const pairs = ['a.test', 'b.test'].map(selfSigned);
const [first = { certificate: '', key: '' }, second = first] = pairs;

const secret = (data: Readonly<Record<string, string>>): object => ({
  type: 'Opaque',
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});

export const sharedKinds: readonly Kind[] = [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    names: namespaces,
    hasStatus: false,
    variants: [{ metadata: { labels: { team: 'web' } } }, { metadata: { labels: { team: 'api' } } }, {}],
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    plural: 'services',
    names: inNamespaces('one', 'two', 'three'),
    hasStatus: false,
    variants: [
      { spec: { ports: [port('http', 80), port('udp', 53, { protocol: 'UDP' })] } },
      { spec: { ports: [port('http', 80, { appProtocol: 'kubernetes.io/h2c' })] } },
      { spec: { ports: [port('http', 80, { appProtocol: 'https' }), port('other', 8080)] } },
      { spec: { ports: [port('http', 8080)] } },
      { spec: { type: 'ExternalName', externalName: 'elsewhere.test', ports: [port('http', 80)] } },
    ],
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    names: inNamespaces('one-1', 'two-1', 'any-2'),
    hasStatus: false,
    variants: [
      slice('one', ['10.77.130.1']),
      slice('two', ['10.77.130.2', '10.77.130.3']),
      slice('three', ['10.77.130.4']),
      slice('one', ['10.77.130.5'], false),
      slice('two', []),
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    plural: 'secrets',
    names: inNamespaces('cert', 'users'),
    hasStatus: false,
    variants: [
      secret({ 'tls.crt': first.certificate, 'tls.key': first.key }),
      secret({ 'tls.crt': second.certificate, 'tls.key': second.key }),
      secret({ 'tls.crt': first.certificate, 'tls.key': second.key }),
      secret({ 'tls.crt': 'no certificate', 'tls.key': first.key }),
      secret({ auth: 'ada:$2y$05$O5.s8qL8vWIGtNbmFIm1jOqZJ9e4u3kHP3sMpXtLpV1rQ9m7nXWqS\n' }),
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    names: inNamespaces('ca'),
    hasStatus: false,
    variants: [{ data: { 'ca.crt': first.certificate } }, { data: { 'ca.crt': 'none' } }, { data: { other: 'x' } }],
  },
];
