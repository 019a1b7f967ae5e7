/** Permission for references to other namespaces. A ReferenceGrant in the target namespace must permit them. */
import type { RouteKindInfo } from '../kinds.ts';
import type { ReferenceGrant } from '../objects.ts';

export const gatewayGroup = 'gateway.networking.k8s.io';

/** Object that contains a cross-namespace reference. */
export interface Referrer {
  readonly kind: 'Gateway' | 'ListenerSet' | RouteKindInfo['kind'];
  readonly namespace: string;
}

/** Target of a cross-namespace reference, in the core API group. */
export interface Referent {
  readonly kind: 'Secret' | 'ConfigMap' | 'Service';
  readonly namespace: string;
  readonly name: string;
}

/** Reports whether the ReferenceGrants in the target namespace permit a reference. */
export function isPermitted(from: Referrer, to: Referent, grants: Iterable<ReferenceGrant>): boolean {
  if (from.namespace === to.namespace) return true;
  for (const { spec } of grants) {
    const isFrom = spec.from.some(
      ({ group, kind, namespace }) => group === gatewayGroup && kind === from.kind && namespace === from.namespace,
    );
    const isTo = spec.to.some(
      ({ group, kind, name }) =>
        group === '' && kind === to.kind && (name === undefined || name === '' || name === to.name),
    );
    if (isFrom && isTo) return true;
  }
  return false;
}
