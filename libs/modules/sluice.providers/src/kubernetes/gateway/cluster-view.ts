/** Cluster objects as seen by the translation. */
import type { EndpointSlice, ReferenceGrant, Secret, Service } from '../objects.ts';
import type { Listener } from './listener.ts';

export interface ClusterView {
  service(key: string): Service | undefined;
  slicesOf(serviceKey: string): Iterable<EndpointSlice>;
  grantsIn(namespace: string): Iterable<ReferenceGrant>;
  /** `undefined` = nonexistent; `null` = not read yet. */
  secret(key: string): Secret | null | undefined;
  labelsOf(namespace: string): Readonly<Record<string, string>>;
  /** Listeners of a Gateway of this provider; `undefined` for other Gateways. */
  listenersOf(gatewayKey: string): readonly Listener[] | undefined;
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
  grants: (namespace: string): string => `grants/${namespace}`,
  gateway: (key: string): string => `gateway/${key}`,
  namespace: (name: string): string => `namespace/${name}`,
};
