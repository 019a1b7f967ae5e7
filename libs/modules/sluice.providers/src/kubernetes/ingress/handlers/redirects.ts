import type { JsonObject } from '@sluice/base';
import type { AnnotationName } from '../annotations/table.ts';
import { expandVariables } from '../annotations/variables.ts';
import type { IngressScope } from '../scope.ts';

export function redirect(status: number, location: string): JsonObject {
  return { handler: 'static_response', status_code: status, headers: { Location: [location] } };
}

/** Returns the response of a location that only redirects, or `null` for other locations. */
export function redirectOf(scope: IngressScope): JsonObject | null {
  return (
    redirectTo('temporal-redirect', 'temporal-redirect-code', 302, scope) ??
    redirectTo('permanent-redirect', 'permanent-redirect-code', 301, scope)
  );
}

function redirectTo(
  name: AnnotationName,
  codeName: AnnotationName,
  fallback: number,
  { annotations }: IngressScope,
): JsonObject | null {
  const target = annotations.text(name);
  if (target === undefined) return null;
  if (!/^(?:https?:\/\/|\/|\$)/.test(target)) annotations.refuse(name, 'expected a URL or a path');
  const wanted = annotations.integer(codeName) ?? fallback;
  const isRedirect = wanted >= 300 && wanted <= 308;
  if (!isRedirect) annotations.warn(codeName, `expected a status code from 300 to 308, not ${wanted}`);
  return redirect(isRedirect ? wanted : fallback, expanded(name, target, annotations));
}

/** Returns a redirect from `/` to the root path of the application, or `null`. */
export function appRootOf({ annotations }: IngressScope): JsonObject | null {
  const root = annotations.text('app-root');
  if (root === undefined) return null;
  if (!root.startsWith('/')) {
    annotations.warn('app-root', 'expected a path');
    return null;
  }
  const isRelative = annotations.flag('relative-redirects') === true;
  return redirect(
    302,
    `${isRelative ? '' : '{http.request.scheme}://{http.request.hostport}'}${expanded('app-root', root, annotations)}`,
  );
}

/** Returns a redirect to HTTPS, or `null` if none is required. Requests that a load balancer received over HTTPS are not redirected. */
export function httpsRedirectOf(isTls: boolean, { annotations, settings }: IngressScope): JsonObject | null {
  const isWanted =
    annotations.flag('force-ssl-redirect') === true || (isTls && annotations.flag('ssl-redirect') !== false);
  if (!isWanted) return null;
  const [, port = '443'] = /:(\d+)$/.exec(settings.https) ?? [];
  const authority = `{http.request.host}${port === '443' ? '' : `:${port}`}`;
  return {
    handler: 'subroute',
    routes: [
      {
        match: [{ not: [{ header: { 'X-Forwarded-Proto': ['https'] } }] }],
        handle: [redirect(308, `https://${authority}{http.request.uri}`)],
        terminal: true,
      },
    ],
  };
}

export function expanded(name: AnnotationName, text: string, annotations: IngressScope['annotations']): string {
  return expandVariables(text, (variable) => {
    annotations.warn(name, `variable $${variable} is not supported and expands to an empty string`);
  });
}
