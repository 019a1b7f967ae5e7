/** Ingresses for tests. */
import type { FakeObject } from '../fake-api-server.ts';

export interface TestPath {
  readonly path?: string;
  readonly type?: string;
  readonly service?: string;
  readonly port?: number | string;
}

export interface IngressOptions {
  readonly host?: string;
  readonly paths?: readonly TestPath[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly created?: string;
  readonly namespace?: string;
}

const backendOf = (name: string, port: number | string = 80): object => ({
  service: { name, port: typeof port === 'number' ? { number: port } : { name: port } },
});

/** Returns an Ingress. The prefix of ingress-nginx is added to annotation names without a prefix. */
export function ingress(name: string, options: IngressOptions = {}): FakeObject {
  const { host = 'a.test', paths = [{}], annotations = {}, spec = {}, created = '2026-01-01T00:00:00Z' } = options;
  const prefixed = Object.entries(annotations).map(([key, value]) => [
    key.includes('/') ? key : `nginx.ingress.kubernetes.io/${key}`,
    value,
  ]);
  const rule = {
    ...(host === '' ? {} : { host }),
    http: {
      paths: paths.map(({ path = '/', type = 'Prefix', service = 'app', port = 80 }) => ({
        path,
        pathType: type,
        backend: backendOf(service, port),
      })),
    },
  };
  return {
    metadata: {
      name,
      namespace: options.namespace ?? 'web',
      creationTimestamp: created,
      annotations: Object.fromEntries(prefixed) as Record<string, string>,
    },
    spec: { ingressClassName: 'sluice', rules: [rule], ...spec },
  };
}

export const ingressClass = (annotations: Record<string, string> = {}, name = 'sluice'): FakeObject => ({
  metadata: { name, annotations },
  spec: { controller: 'sluice.dev/ingress-controller' },
});

export const secret = (name: string, data: Readonly<Record<string, string>>, namespace = 'web'): FakeObject => ({
  metadata: { name, namespace },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});

export const configMap = (name: string, data: Readonly<Record<string, string>>): FakeObject => ({
  metadata: { name, namespace: 'web' },
  data,
});
