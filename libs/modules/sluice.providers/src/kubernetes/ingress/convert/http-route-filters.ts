/** Converts annotations to filters of HTTPRoutes. */
import type { JsonObject } from '@sluice/base';
import type { AnnotationName } from '../annotations/table.ts';
import type { Claim } from '../claims.ts';
import { objectKey } from '../scope.ts';
import type { RouteScope } from './route-scope.ts';

export function filtersOf(claim: Claim, scope: RouteScope): readonly JsonObject[] {
  return [...corsFilter(scope), ...rewriteFilter(claim, scope), ...requestFields(scope), ...responseFields(scope)];
}

/** Returns the filter that redirects all paths, or `null` if there is no redirect. */
export function redirectFilterOf({ annotations, used }: RouteScope): JsonObject | null {
  for (const [name, code, fallback] of [
    ['temporal-redirect', 'temporal-redirect-code', 302],
    ['permanent-redirect', 'permanent-redirect-code', 301],
  ] as const) {
    const [, scheme, hostname, port, path = ''] =
      /^(https?):\/\/([\w.-]+)(?::(\d+))?(\/[^$?#]*|\$request_uri)?$/.exec(annotations.text(name) ?? '') ?? [];
    if (scheme === undefined || hostname === undefined) continue;
    used.add(name).add(code);
    const isFixed = path !== '$request_uri';
    const requestRedirect = {
      scheme,
      hostname,
      ...(port === undefined ? {} : { port: Number(port) }),
      ...(isFixed ? { path: { type: 'ReplaceFullPath', replaceFullPath: path === '' ? '/' : path } } : {}),
      statusCode: annotations.integer(code) ?? fallback,
    };
    return { type: 'RequestRedirect', requestRedirect };
  }
  return null;
}

function corsFilter({ annotations, used }: RouteScope): readonly JsonObject[] {
  if (annotations.flag('enable-cors') !== true) return [];
  const list = (name: AnnotationName, fallback: readonly string[]): readonly string[] => {
    used.add(name);
    const values = annotations.list(name);
    return values.length === 0 ? fallback : values;
  };
  used.add('enable-cors').add('cors-allow-credentials').add('cors-max-age');
  const exposeHeaders = list('cors-expose-headers', []);
  const allowOrigins = list('cors-allow-origin', ['*']);
  const cors = {
    allowOrigins,
    allowMethods: list('cors-allow-methods', ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS']),
    allowHeaders: list('cors-allow-headers', ['Content-Type', 'Authorization', 'Range']),
    ...(exposeHeaders.length === 0 ? {} : { exposeHeaders }),
    // Browsers reject `*` for requests with credentials, but the filter may respond with the request's origin.
    allowCredentials: annotations.flag('cors-allow-credentials') !== false && !allowOrigins.includes('*'),
    maxAge: annotations.integer('cors-max-age') ?? 1_728_000,
  };
  return [{ type: 'CORS', cors }];
}

/** Returns the filter for a rewrite that keeps the rest of the path, or that replaces the whole path. No other rewrites are supported. */
function rewriteFilter({ path }: Claim, { annotations, used }: RouteScope): readonly JsonObject[] {
  const target = annotations.text('rewrite-target');
  const host = annotations.text('upstream-vhost');
  const hostname = host === undefined || /[$:]/.test(host) ? {} : { hostname: host };
  if ('hostname' in hostname) used.add('upstream-vhost');
  const changed = target === undefined ? {} : pathChange(path, target);
  if ('path' in changed) used.add('rewrite-target');
  const urlRewrite: JsonObject = { ...hostname, ...changed };
  return Object.keys(urlRewrite).length === 0 ? [] : [{ type: 'URLRewrite', urlRewrite }];
}

function pathChange(path: string, target: string): JsonObject {
  if (!target.includes('$')) return { path: { type: 'ReplaceFullPath', replaceFullPath: target } };
  const group = path.endsWith('(/|$)(.*)') ? '$2' : path.endsWith('/(.*)') ? '$1' : null;
  if (group === null || !target.endsWith(group)) return {};
  const prefix = target.slice(0, -group.length);
  if (prefix.includes('$')) return {};
  return { path: { type: 'ReplacePrefixMatch', replacePrefixMatch: prefix === '' ? '/' : prefix } };
}

function requestFields({ annotations, used }: RouteScope): readonly JsonObject[] {
  const prefix = annotations.text('x-forwarded-prefix');
  if (prefix === undefined || prefix.includes('$')) return [];
  used.add('x-forwarded-prefix');
  return [
    { type: 'RequestHeaderModifier', requestHeaderModifier: { set: [{ name: 'X-Forwarded-Prefix', value: prefix }] } },
  ];
}

function responseFields({ ingress, annotations, options, used }: RouteScope): readonly JsonObject[] {
  const name = annotations.text('custom-headers');
  if (name === undefined) return [];
  const found = options.view.configMap(objectKey(name, ingress.metadata.namespace ?? ''));
  if (found === undefined || found === null) return [];
  used.add('custom-headers');
  const set = Object.entries(found.data ?? {}).map(([field, value]) => ({ name: field, value }));
  return [{ type: 'ResponseHeaderModifier', responseHeaderModifier: { set } }];
}
