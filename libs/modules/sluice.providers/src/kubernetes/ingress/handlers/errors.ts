/** The `custom-http-errors` annotation, which lists the statuses for which the default backend responds. */
import type { JsonObject } from '@sluice/base';
import { resolveService } from '../backends.ts';
import { literal } from '../../../common/text.ts';
import type { IngressScope } from '../scope.ts';

/** Returns the addresses of the default backend, or `null` if there is none. */
export function defaultBackendOf(scope: IngressScope): readonly string[] | null {
  const { annotations, settings, namespace } = scope;
  const own = annotations.text('default-backend');
  const key = own === undefined ? settings.defaultBackend : `${namespace}/${own}`;
  if (key === '') return null;
  const { dials, problem } = resolveService(key, '', scope);
  if (problem !== null) annotations.warn('default-backend', problem);
  return dials;
}

/** Returns the `handle_response` option of the reverse proxy. */
export function errorOptions(
  scope: IngressScope,
  service: { readonly name: string; readonly port: string },
): JsonObject {
  const { annotations, ingress, namespace } = scope;
  const statuses = annotations.list('custom-http-errors').filter((each) => {
    const isStatus = /^[45]\d\d$/.test(each);
    if (!isStatus)
      annotations.warn('custom-http-errors', `expected status codes from 400 to 599, not ${JSON.stringify(each)}`);
    return isStatus;
  });
  if (statuses.length === 0 || annotations.flag('disable-proxy-intercept-errors') === true) return {};
  const dials = defaultBackendOf(scope);
  if (dials === null || dials.length === 0) {
    annotations.warn('custom-http-errors', 'no default backend is configured, so responses are not replaced');
    return {};
  }
  const fields = {
    'X-Code': ['{http.reverse_proxy.status_code}'],
    'X-Format': ['{http.request.header.Accept}'],
    'X-Original-Uri': ['{http.request.orig_uri}'],
    'X-Namespace': [literal(namespace)],
    'X-Ingress-Name': [literal(ingress.metadata.name)],
    'X-Service-Name': [literal(service.name)],
    'X-Service-Port': [literal(service.port)],
  };
  const proxy = {
    handler: 'reverse_proxy',
    upstreams: dials.map((dial) => ({ dial })),
    rewrite: { method: 'GET', uri: '/' },
  };
  const handle = [{ handler: 'headers', request: { set: fields } }, proxy];
  return { handle_response: [{ match: { status_code: statuses.map(Number) }, routes: [{ handle }] }] };
}
