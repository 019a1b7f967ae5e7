/** Read access to Kubernetes objects for the translation. */
import type { BackendTlsPolicy, ConfigMap, EndpointSlice, ReferenceGrant, Secret, Service } from '../objects.ts';
import type { Listener } from './listener.ts';

export interface ClusterView {
  service(key: string): Service | undefined;
  slicesOf(serviceKey: string): Iterable<EndpointSlice>;
  grantsIn(namespace: string): Iterable<ReferenceGrant>;
  /** Returns a Secret. `undefined` if it doesn't exist, and `null` if it has not been read yet. */
  secret(key: string): Secret | null | undefined;
  /** Returns a ConfigMap. `undefined` if it doesn't exist, and `null` if it has not been read yet. */
  configMap(key: string): ConfigMap | null | undefined;
  /** Returns the BackendTLSPolicies that target a Service. */
  policiesOf(serviceKey: string): Iterable<BackendTlsPolicy>;
  labelsOf(namespace: string): Readonly<Record<string, string>>;
  /** Returns the listeners of a Gateway or ListenerSet, or `undefined` if another provider handles this parent. */
  listenersOf(parentKey: string): readonly Listener[] | undefined;
}

/** Input of the translation of one object. Collects the object's dependencies. */
export interface Scope {
  readonly namespace: string;
  readonly view: ClusterView;
  /** Targets on which the translated object depends. */
  readonly dependsOn: Set<string>;
}

/** Functions that return object names for the dependency index. */
export const targets = {
  service: (key: string): string => `service/${key}`,
  secret: (key: string): string => `secret/${key}`,
  configMap: (key: string): string => `configmap/${key}`,
  grants: (namespace: string): string => `grants/${namespace}`,
  gateway: (key: string): string => `gateway/${key}`,
  namespace: (name: string): string => `namespace/${name}`,
};
