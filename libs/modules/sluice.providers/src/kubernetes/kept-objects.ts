/** Reduces Kubernetes objects to the parts that the provider uses. Clusters have many objects, so this saves memory. */
import { sharingTexts } from './shared-texts.ts';
import {
  slim,
  type BackendTlsPolicy,
  type ConfigMap,
  type EndpointSlice,
  type Gateway,
  type GatewayClass,
  type HttpRoute,
  type KubeObject,
  type ListenerSet,
  type Metadata,
  type ReferenceGrant,
  type Secret,
  type Service,
} from './objects.ts';

export const serviceLabel = 'kubernetes.io/service-name';

export function kept(object: KubeObject): KubeObject {
  const { metadata } = slim(object);
  return { metadata };
}

export const keptClass = (object: KubeObject): GatewayClass => slim(object) as GatewayClass;
export const keptGateway = (object: KubeObject): Gateway => slim(object) as Gateway;
export const keptSet = (object: KubeObject): ListenerSet => slim(object) as ListenerSet;
export const keptPolicy = (object: KubeObject): BackendTlsPolicy => slim(object) as BackendTlsPolicy;
export const keptGrant = (object: KubeObject): ReferenceGrant => slim(object) as ReferenceGrant;

export function keptRoute(object: KubeObject): HttpRoute {
  const { metadata, spec, status } = slim(object) as HttpRoute;
  return sharingTexts({
    metadata: withoutLabels(metadata),
    spec,
    ...(status === undefined ? {} : { status: { parents: status.parents ?? [] } }),
  });
}

export function keptService(object: KubeObject): Service {
  const { metadata, spec } = slim(object) as Service;
  const { type, ports } = spec;
  return sharingTexts({
    metadata: withoutLabels(metadata),
    spec: { ...(type === undefined ? {} : { type }), ...(ports === undefined ? {} : { ports }) },
  });
}

export function keptSlice(object: KubeObject): EndpointSlice {
  const { metadata, ports, endpoints } = slim(object) as EndpointSlice;
  const service = metadata.labels?.[serviceLabel];
  return sharingTexts({
    metadata: { ...withoutLabels(metadata), ...(service === undefined ? {} : { labels: { [serviceLabel]: service } }) },
    ports: ports ?? null,
    endpoints: (endpoints ?? []).map(({ addresses, conditions: { ready } = {} }) => ({
      addresses,
      conditions: ready === undefined ? {} : { ready },
    })),
  });
}

export function keptSecret(object: KubeObject): Secret {
  const { metadata, data = {} } = slim(object) as Secret;
  const names = ['tls.crt', 'tls.key'].filter((name) => Object.hasOwn(data, name));
  return { metadata: withoutLabels(metadata), data: Object.fromEntries(names.map((name) => [name, data[name] ?? ''])) };
}

export function keptConfigMap(object: KubeObject): ConfigMap {
  const { metadata, data = {} } = slim(object) as ConfigMap;
  const certificates = data['ca.crt'];
  return { metadata: withoutLabels(metadata), data: certificates === undefined ? {} : { 'ca.crt': certificates } };
}

function withoutLabels({ labels: _labels, ...metadata }: Metadata): Metadata {
  return metadata;
}
