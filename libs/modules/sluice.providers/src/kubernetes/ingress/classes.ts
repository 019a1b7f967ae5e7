/** Ingress classes. An Ingress names its class in its spec or in the deprecated annotation. Otherwise, the cluster's default class applies. */
import type { Ingress, IngressClass } from './objects.ts';

const classAnnotation = 'kubernetes.io/ingress.class';
const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class';

/** Reports whether this controller is responsible for an Ingress. */
export function isOwn(
  { metadata, spec }: Ingress,
  classes: ReadonlyMap<string, IngressClass>,
  controllerName: string,
): boolean {
  const isOwnClass = (name: string): boolean => classes.get(name)?.spec.controller === controllerName;
  const named = spec.ingressClassName ?? metadata.annotations?.[classAnnotation];
  if (named !== undefined) return isOwnClass(named);
  for (const [name, each] of classes) if (isDefault(each) && isOwnClass(name)) return true;
  return false;
}

function isDefault({ metadata }: IngressClass): boolean {
  return metadata.annotations?.[defaultAnnotation] === 'true';
}

/** Returns the name of an Ingress's class. Empty for the default class. */
export function classNameOf({ metadata, spec }: Ingress): string {
  return spec.ingressClassName ?? metadata.annotations?.[classAnnotation] ?? '';
}
