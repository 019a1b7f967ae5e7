/** Cluster objects as seen by the translation. */
import type { BackendTlsPolicy, ConfigMap, EndpointSlice, ReferenceGrant, Secret, Service } from '../objects.ts';
import type { Listener } from './listener.ts';

export interface ClusterView {
  service(key: string): Service | undefined;
  slicesOf(serviceKey: string): Iterable<EndpointSlice>;
  grantsIn(namespace: string): Iterable<ReferenceGrant>;
  /** `undefined` = nonexistent; `null` = not read yet. */
  secret(key: string): Secret | null | undefined;
  /** As for Secrets. */
  configMap(key: string): ConfigMap | null | undefined;
  /** Policies for the connections to a Service. */
  policiesOf(serviceKey: string): Iterable<BackendTlsPolicy>;
  labelsOf(namespace: string): Readonly<Record<string, string>>;
  /** Listeners of a Gateway or ListenerSet of this provider; `undefined` for others. */
  listenersOf(parentKey: string): readonly Listener[] | undefined;
}

/** Translation of one object. */
export interface Scope {
  /** Namespace of the object. */
  readonly namespace: string;
  readonly view: ClusterView;
  /** Receives the objects that the result depends on. */
  readonly dependsOn: Set<string>;
}

/** Names of objects, for the index of dependents. */
export const targets = {
  service: (key: string): string => `service/${key}`,
  secret: (key: string): string => `secret/${key}`,
  configMap: (key: string): string => `configmap/${key}`,
  grants: (namespace: string): string => `grants/${namespace}`,
  /** A Gateway or ListenerSet. */
  gateway: (key: string): string => `gateway/${key}`,
  namespace: (name: string): string => `namespace/${name}`,
};
