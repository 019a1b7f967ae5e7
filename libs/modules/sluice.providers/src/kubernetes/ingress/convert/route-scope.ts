/** Data shared by the parts of the HTTPRoute conversion. */
import type { JsonObject } from '@sluice/base';
import type { Annotations } from '../annotations/reader.ts';
import type { AnnotationName } from '../annotations/table.ts';
import type { Ingress, IngressBackend, IngressView } from '../objects.ts';
import type { IngressSettings } from '../settings.ts';

export interface HttpRouteOptions {
  readonly view: IngressView;
  readonly settings: IngressSettings;
  readonly gatewayClass: string;
}

/** Context for the conversion of one Ingress. */
export interface RouteScope {
  readonly ingress: Ingress;
  readonly annotations: Annotations;
  readonly options: HttpRouteOptions;
  /** Annotations that the resulting HTTPRoute represents. */
  readonly used: Set<AnnotationName>;
}

export function backendRef({ service }: IngressBackend, { ingress, annotations, options }: RouteScope): JsonObject {
  const name = service?.name ?? '';
  const { number, name: portName = '' } = service?.port ?? {};
  if (number !== undefined) return { name, port: number };
  const found = options.view.service(`${ingress.metadata.namespace ?? ''}/${name}`);
  const port = found?.spec.ports?.find((each) => each.name === portName)?.port;
  if (port === undefined)
    annotations.warn('backend', `port ${portName} of Service ${name} is unknown; add the Service to the manifests`);
  return { name, ...(port === undefined ? {} : { port }) };
}
