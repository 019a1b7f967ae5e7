/** Converts Ingresses to HTTPRoutes of the Gateway API. */
import type { Json, JsonObject } from '@sluice/base';
import { ageOf, keyOf } from '../../objects.ts';
import { Annotations } from '../annotations/reader.ts';
import { annotationTable, type AnnotationName, type AnnotationSpec } from '../annotations/table.ts';
import { claimsOf, tlsEntryOf, type Claim } from '../claims.ts';
import type { Ingress } from '../objects.ts';
import { filtersOf, redirectFilterOf } from './http-route-filters.ts';
import { backendRef, type HttpRouteOptions, type RouteScope } from './route-scope.ts';
import { canaryRules } from './http-route-canary.ts';

const apiVersion = 'gateway.networking.k8s.io/v1';
const gatewayName = 'ingress';

/** Canary annotations, which the main Ingress's HTTPRoute represents. */
const canaryAnnotations: readonly AnnotationName[] = [
  'canary',
  'canary-by-header',
  'canary-by-header-pattern',
  'canary-by-header-value',
  'canary-weight',
  'canary-weight-total',
];

export function httpRoutes(
  ingresses: readonly Ingress[],
  options: HttpRouteOptions,
): { readonly objects: readonly JsonObject[]; readonly warnings: ReadonlyMap<string, readonly string[]> } {
  const warnings = new Map<string, readonly string[]>();
  const routes: JsonObject[] = [];
  for (const ingress of ingresses) {
    const annotations = new Annotations(ingress, options.settings.prefix);
    const scope: RouteScope = { ingress, annotations, options, used: new Set() };
    if (annotations.flag('canary') !== true) routes.push(...routesOf(scope));
    else for (const name of canaryAnnotations) scope.used.add(name);
    warnUnrepresented(scope);
    warnings.set(keyOf(ingress), annotations.warnings);
  }
  const namespaces = [...new Set(ingresses.map(({ metadata }) => metadata.namespace ?? ''))];
  const gateways = namespaces.map((namespace) =>
    gatewayOf(
      namespace,
      ingresses.filter(({ metadata }) => metadata.namespace === namespace),
      options,
    ),
  );
  return { objects: [...gateways, ...routes], warnings };
}

/**
 * Returns the Gateway of a namespace. Each namespace gets a separate Gateway, because references to Secrets in other namespaces would
 * require a ReferenceGrant.
 */
function gatewayOf(namespace: string, ingresses: readonly Ingress[], { gatewayClass }: HttpRouteOptions): JsonObject {
  const secrets = new Map<string, string>();
  for (const ingress of [...ingresses].sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1)))
    for (const host of claimsOf(ingress).map((claim) => claim.host)) {
      const entry = tlsEntryOf(ingress, host);
      if (entry?.secretName != null && !secrets.has(entry.host)) secrets.set(entry.host, entry.secretName);
    }
  const https = [...secrets].map(([host, name]) => ({
    name: sectionOf(host),
    port: 443,
    protocol: 'HTTPS',
    hostname: host,
    tls: { certificateRefs: [{ name }] },
  }));
  return {
    apiVersion,
    kind: 'Gateway',
    metadata: { name: gatewayName, namespace },
    spec: { gatewayClassName: gatewayClass, listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }, ...https] },
  };
}

/** Returns one HTTPRoute for each host. */
function routesOf(scope: RouteScope): readonly JsonObject[] {
  const { ingress, annotations, used } = scope;
  const byHost = Map.groupBy(claimsOf(ingress), ({ host }) => host);
  const { defaultBackend } = ingress.spec;
  if (byHost.size === 0 && defaultBackend !== undefined) byHost.set('', []);
  const isSplit = byHost.size > 1;
  return [...byHost].flatMap(([host, claims], i) => {
    const rules = claims.flatMap((claim) => rulesOf(claim, scope));
    const fallback =
      defaultBackend === undefined
        ? []
        : [{ matches: [prefixMatch('/')], backendRefs: [backendRef(defaultBackend, scope)] }];
    const root = annotations.text('app-root');
    if (root !== undefined) used.add('app-root');
    const path = { type: 'ReplaceFullPath', replaceFullPath: root ?? '' };
    const rootRule =
      root === undefined
        ? []
        : [
            {
              matches: [{ path: { type: 'Exact', value: '/' } }],
              filters: [{ type: 'RequestRedirect', requestRedirect: { path, statusCode: 302 } }],
            },
          ];
    const name = `${ingress.metadata.name}${isSplit ? `-${i}` : ''}`;
    const aliases = host === '' ? [] : annotations.list('server-alias');
    if (aliases.length > 0) used.add('server-alias');
    const hostnames = host === '' ? [] : [host, ...aliases];
    const section = httpsSectionOf(host, scope);
    const all = [...rootRule, ...rules, ...fallback];
    const route = routeOf({ name, hostnames, rules: all, section }, scope);
    if (section === null) return [route];
    const filter = { type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } };
    const redirect = { name: `${name}-redirect`, hostnames, rules: [{ filters: [filter] }], section: 'http' };
    return [route, routeOf(redirect, scope)];
  });
}

function sectionOf(host: string): string {
  return `https-${host.replaceAll('*', 'wildcard').replaceAll('.', '-')}`.slice(0, 253);
}

/** Returns the name of a host's HTTPS listener if the host redirects to HTTPS. Returns `null` if there is no redirect. */
function httpsSectionOf(host: string, { ingress, annotations, used }: RouteScope): string | null {
  used.add('ssl-redirect');
  const entry = tlsEntryOf(ingress, host);
  const isRedirected = entry?.secretName != null && annotations.flag('ssl-redirect') !== false;
  return isRedirected ? sectionOf(entry.host) : null;
}

interface RouteParts {
  readonly name: string;
  readonly hostnames: readonly string[];
  readonly rules: Json;
  /** Name of the Gateway listener, or `null` for all listeners. */
  readonly section: string | null;
}

function routeOf({ name, hostnames, rules, section }: RouteParts, { ingress }: RouteScope): JsonObject {
  const { namespace = '' } = ingress.metadata;
  const parentRefs = [{ name: gatewayName, ...(section === null ? {} : { sectionName: section }) }];
  return {
    apiVersion,
    kind: 'HTTPRoute',
    metadata: { name, namespace },
    spec: { parentRefs, ...(hostnames.length === 0 ? {} : { hostnames }), rules },
  };
}

function rulesOf(claim: Claim, scope: RouteScope): readonly JsonObject[] {
  const match = matchOf(claim, scope);
  const redirect = redirectFilterOf(scope);
  if (redirect !== null) return [{ matches: [match], filters: [redirect] }];
  const filters = filtersOf(claim, scope);
  const rule = { matches: [match], ...(filters.length === 0 ? {} : { filters }) };
  return canaryRules(rule, claim, backendRef(claim.backend, scope), scope);
}

function matchOf(claim: Claim, { options: { view }, used }: RouteScope): JsonObject {
  const { host, path, type } = claim;
  if (type === 'Exact') return { path: { type: 'Exact', value: path } };
  if (!view.usesExpressions(host)) return prefixMatch(path);
  used.add('use-regex');
  const prefix = /^(\/[\w./-]*?)\/?(?:\(\/\|\$\)\(\.\*\)|\(\.\*\)|\.\*)?$/.exec(path)?.[1];
  return prefix === undefined
    ? { path: { type: 'RegularExpression', value: `(?i)${path}.*` } }
    : prefixMatch(prefix === '' ? '/' : prefix);
}

function prefixMatch(value: string): JsonObject {
  return { path: { type: 'PathPrefix', value } };
}

function warnUnrepresented({ annotations, used }: RouteScope): void {
  const isOn = (name: string): boolean =>
    !['false', 'off', ''].includes(annotations.text(name as AnnotationName)?.toLowerCase() ?? '');
  for (const name of annotations.names) {
    const spec: AnnotationSpec | undefined = Object.hasOwn(annotationTable, name)
      ? annotationTable[name as AnnotationName]
      : undefined;
    if (spec === undefined) annotations.warn(name, 'unknown annotation');
    else if (spec.support !== 'ignored' && !used.has(name as AnnotationName) && isOn(name))
      annotations.warn(name, 'not representable in an HTTPRoute');
  }
}
