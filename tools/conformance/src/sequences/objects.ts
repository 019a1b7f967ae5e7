/**
 * Kubernetes objects that the sequences add, change and remove, each in several variants. Some variants are invalid, and some references
 * are broken.
 */
import { gatewayKinds } from './gateway-objects.ts';
import { ingressKinds } from './ingress-objects.ts';
import type { Kind } from './kind.ts';
import { sharedKinds } from './shared-objects.ts';

export const kinds: readonly Kind[] = [...sharedKinds, ...gatewayKinds, ...ingressKinds];

export interface Target {
  readonly kind: Kind;
  readonly name: string;
}

export const allTargets: readonly Target[] = kinds.flatMap((kind) => kind.names.map((name) => ({ kind, name })));

export function collectionPath({ apiVersion, plural }: Kind, namespace?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespace === undefined ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
}

/** Returns the API path of an object's collection, and the object's name within it. */
export function placeOf({ kind, name }: Target): { readonly collection: string; readonly name: string } {
  const [namespace, rest] = name.split('/');
  return rest === undefined
    ? { collection: collectionPath(kind), name }
    : { collection: collectionPath(kind, namespace), name: rest };
}

export function manifestOf({ kind, name }: Target, variant: number): object {
  const { metadata = {}, ...rest } = kind.variants[variant % kind.variants.length] as { readonly metadata?: object };
  const [namespace, own] = name.split('/');
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { ...metadata, ...(own === undefined ? { name } : { namespace, name: own }) },
    ...rest,
  };
}
