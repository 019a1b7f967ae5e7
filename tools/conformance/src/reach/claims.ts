/** Extracts the `sluice lint` findings that claim a route is unreachable. Generated requests try to refute them. */
import type { Finding } from '@sluice/registry';
import { getAt } from '@sluice/reconciler';
import { isArray, isObject, parseWhere, type Json } from '@sluice/base';
import type { Scheme } from './configuration.ts';

/** A claim that a part of the configuration never runs. */
export interface Claim {
  readonly code: string;
  /** Configuration path of the route or handler. */
  readonly path: string;
  readonly message: string;
}

/** Lint checks whose findings refer to the unreachable route or handler. */
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

/** Lint checks that report a matcher that never matches. The matcher's route is unreachable unless it has other matcher sets. */
const aboutMatchers: ReadonlySet<string> = new Set(['SL006', 'SL010', 'SL016']);

/** Extracts the claims from lint findings. */
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
    // If the scheme is `both`, a generated server receives both HTTP and HTTPS requests. A real server never does, so SL010 may be wrong
    // here.
    if (code === 'SL010' && scheme === 'both' && path.endsWith('.protocol')) return [];
    const route = routeOf(path, document);
    return route === null ? [] : [{ code, path: route, message }];
  });
}

/** Returns the configuration path of the route if its matcher, or the matcher value, excludes all requests. */
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

/** Returns the configuration path of a matcher set's route if the route has no other matcher set. */
function routeOfSet(path: string, document: Json): string | null {
  const [, route = ''] = /^(.*)\.match\[0\]$/.exec(path) ?? [];
  const at = parseWhere(route);
  const node = at === null || route === '' ? undefined : getAt(document, at);
  const match = isObject(node) ? node['match'] : undefined;
  return isArray(match) && match.length === 1 ? route : null;
}

/** Reports whether a configuration path is the subject of a claim or nested in it. */
export function isWithin(place: string, { path }: Claim): boolean {
  return place === path || place.startsWith(`${path}.`);
}
