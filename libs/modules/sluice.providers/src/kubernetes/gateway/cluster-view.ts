/** Cluster objects as seen by the translation. */
import type { BackendTlsPolicy, ConfigMap, EndpointSlice, ReferenceGrant, Secret, Service } from '../objects.ts';
import type { Listener } from './listener.ts';

export interface ClusterView {
  service(key: string): Service | undefined;
  slicesOf(serviceKey: string): Iterable<EndpointSlice>;
  grantsIn(namespace: string): Iterable<ReferenceGrant>;
  /** `undefined` if the Secret doesn't exist; `null` if the Secret has not been read yet. */
  secret(key: string): Secret | null | undefined;
  /** `undefined` if the ConfigMap doesn't exist; `null` if the ConfigMap has not been read yet. */
  configMap(key: string): ConfigMap | null | undefined;
  /** Returns the policies for connections to a Service. */
  policiesOf(serviceKey: string): Iterable<BackendTlsPolicy>;
  labelsOf(namespace: string): Readonly<Record<string, string>>;
  /** Returns the listeners of a Gateway or ListenerSet; `undefined` if another provider handles the parent. */
  listenersOf(parentKey: string): readonly Listener[] | undefined;
}

/** Input and dependencies for the translation of one object. */
export interface Scope {
  readonly namespace: string;
  readonly view: ClusterView;
  /** Collects the objects that the result depends on. */
  readonly dependsOn: Set<string>;
}

/** Return names of objects for the dependency index. */
export const targets = {
  service: (key: string): string => `service/${key}`,
  secret: (key: string): string => `secret/${key}`,
  configMap: (key: string): string => `configmap/${key}`,
  grants: (namespace: string): string => `grants/${namespace}`,
  gateway: (key: string): string => `gateway/${key}`,
  namespace: (name: string): string => `namespace/${name}`,
};
