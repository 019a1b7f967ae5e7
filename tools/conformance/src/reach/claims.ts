/** Claims of `sluice lint` that a route is unreachable, which generated requests try to refute. */
import type { Finding } from '@sluice/registry';
import { getAt } from '@sluice/reconciler';
import { isArray, isObject, parseWhere, type Json } from '@sluice/base';
import type { Scheme } from './configuration.ts';

/** A claim that a part of the configuration never runs. */
export interface Claim {
  readonly code: string;
  /** The route or handler. */
  readonly path: string;
  readonly message: string;
}

/** Checks whose findings refer to the unreachable route or handler. */
const aboutRoutes: ReadonlySet<string> = new Set([
  'SL001',
  'SL002',
  'SL003',
  'SL004',
  'SL005',
  'SL009',
  'SL011',
  'SL027',
]);

/**
 * Checks that report a matcher that never matches. The route of the matcher never runs, unless the route has
 * alternatives.
 */
const aboutMatchers: ReadonlySet<string> = new Set(['SL006', 'SL010', 'SL016']);

/** Returns the claims among findings. */
export function claimsIn(findings: readonly Finding[], document: Json, scheme: Scheme): readonly Claim[] {
  return findings.flatMap(({ code = '', path, message }): Claim[] => {
    if (code === 'SL005' && message.startsWith('never matches')) {
      const route = routeOfSet(path, document);
      return route === null ? [] : [{ code, path: route, message }];
    }
    if (aboutRoutes.has(code)) return [{ code, path, message }];
    if (code === 'SL012') return message.startsWith('is never invoked') ? [{ code, path, message }] : [];
    if (
      !aboutMatchers.has(code) ||
      (!message.startsWith('never matches') && !message.includes('so this matcher never'))
    )
      return [];
    // In generated configurations with `both`, a server receives connections of both schemes, unlike a real server.
    if (code === 'SL010' && scheme === 'both' && path.endsWith('.protocol')) return [];
    const route = routeOf(path, document);
    return route === null ? [] : [{ code, path: route, message }];
  });
}

/** Returns the route of a matcher or of its value, if the matcher excludes all requests. */
function routeOf(path: string, document: Json): string | null {
  const [, route = '', matcher = ''] = /^(.*)\.match\[0\]\.(\w+)(?:\[\d+\]|\.pattern)?$/.exec(path) ?? [];
  const at = parseWhere(route);
  const node = at === null || route === '' ? undefined : getAt(document, at);
  const match = isObject(node) ? node['match'] : undefined;
  if (!isArray(match) || match.length !== 1) return null;
  const [set] = match;
  const options = isObject(set) ? set[matcher] : undefined;
  return isArray(options) && options.length > 1 ? null : route;
}

/** Returns the route of a matcher set, if the route has no other matcher set. */
function routeOfSet(path: string, document: Json): string | null {
  const [, route = ''] = /^(.*)\.match\[0\]$/.exec(path) ?? [];
  const at = parseWhere(route);
  const node = at === null || route === '' ? undefined : getAt(document, at);
  const match = isObject(node) ? node['match'] : undefined;
  return isArray(match) && match.length === 1 ? route : null;
}

/** Reports whether a place is the subject of a claim or within it. */
export function isWithin(place: string, { path }: Claim): boolean {
  return place === path || place.startsWith(`${path}.`);
}
