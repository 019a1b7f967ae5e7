/** Ingress and IngressClass objects used in the test sequences. */
import type { Kind } from './kind.ts';

const apiVersion = 'networking.k8s.io/v1';

const backend = (name: string): object => ({ service: { name, port: { number: 80 } } });
const rule = (host: string, path: string, service: string, pathType = 'Prefix'): object => ({
  ...(host === '' ? {} : { host }),
  http: { paths: [{ path, pathType, backend: backend(service) }] },
});

function ingress(
  rules: readonly object[],
  annotations: Readonly<Record<string, string>> = {},
  spec: object = {},
): object {
  const prefixed = Object.entries(annotations).map(([name, value]) => [`nginx.ingress.kubernetes.io/${name}`, value]);
  return {
    metadata: { annotations: Object.fromEntries(prefixed) as Record<string, string> },
    spec: { ingressClassName: 'sluice', rules, ...spec },
  };
}

export const ingressKinds: readonly Kind[] = [
  {
    apiVersion,
    kind: 'IngressClass',
    plural: 'ingressclasses',
    names: ['sluice'],
    hasStatus: false,
    variants: [
      { spec: { controller: 'sluice.dev/ingress-controller' } },
      {
        metadata: { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
        spec: { controller: 'sluice.dev/ingress-controller' },
      },
      { spec: { controller: 'other.test/controller' } },
    ],
  },
  {
    apiVersion,
    kind: 'Ingress',
    plural: 'ingresses',
    names: ['web/one', 'web/two', 'web/canary', 'api/one'],
    hasStatus: true,
    variants: [
      ingress([rule('a.test', '/', 'one')]),
      ingress([rule('a.test', '/', 'two'), rule('b.test', '/x', 'one', 'Exact')]),
      ingress([rule('a.test', '/', 'two')], { canary: 'true', 'canary-weight': '20' }),
      ingress([rule('a.test', '/p', 'one')], {}, { tls: [{ hosts: ['a.test'], secretName: 'cert' }] }),
      ingress([rule('a.test', '/r(/|$)(.*)', 'one', 'ImplementationSpecific')], { 'rewrite-target': '/$2' }),
      ingress([rule('a.test', '/auth', 'one')], { 'auth-type': 'basic', 'auth-secret': 'users' }),
      ingress([rule('c.test', '/', 'missing')], { 'server-alias': 'a.test,d.test', 'limit-rps': 'many' }),
      ingress([rule('a.test', '/(', 'one', 'ImplementationSpecific')], { 'use-regex': 'true' }),
      ingress([], {}, { defaultBackend: backend('two') }),
      ingress([rule('', '/all', 'three')], { 'whitelist-source-range': '10.0.0.0/8, x' }),
      ingress([rule('a.test', '/s', 'one')], { 'configuration-snippet': 'add_header X-A 1;' }),
      ingress([rule('a.test', '/s', 'two')], { 'configuration-snippet': 'unknown_directive 1;' }),
      ingress([rule('a.test', '/', 'three')], {}, { ingressClassName: undefined }),
    ],
  },
];
