/** Combines the routes of directives. Sorts and groups the routes, and merges routes with equal matchers. */
import { jsonEqual, itemAt } from '@sluice/base';
import { caddyfileError } from '../errors.ts';
import { isSequence, type ConfigValue, type RouteConfig, type RouteSequence } from './config-value.ts';
import { carryOrigin, originOf } from '../sources/origins.ts';
import type { GroupCounter } from './group-counter.ts';
import { orderedName } from './ordered-name.ts';
import { sortRoutes } from './route-order.ts';

/** Mutually exclusive directives: only the first matching route of a directive runs. Their order in this list determines the group numbers. */
export const exclusive: readonly string[] = ['handle', 'rewrite', 'root'];

/** Builds routes from values of the kind `route`. `order` is `null` if the routes keep the written order. */
export function buildRoutes(
  values: readonly ConfigValue[],
  groups: GroupCounter,
  order: ReadonlyMap<string, number> | null,
): RouteConfig[] {
  const sorted = order === null ? values : sortRoutes(onlyRoutes(checkOrder(values, order)), order);
  const groupOf = new Map<string, string>();
  for (const name of exclusive) {
    const count = values.filter((value) => orderedName(value.directive ?? '') === name).length;
    if (count > 1 || name === 'rewrite') groupOf.set(name, groups.next());
  }
  const routes: RouteConfig[] = [];
  for (const { value, directive = '' } of sorted) {
    if (!isRoute(value)) {
      throw caddyfileError(
        `${directive} directive returned something other than an HTTP route or subroute (only handler directives can be used in routes)`,
        undefined,
        originOf(value)?.[0],
      );
    }
    if (isSequence(value)) routes.push(...value.routes);
    else routes.push(grouped(value, groupOf.get(orderedName(directive))));
  }
  return joinRoutes(routes);
}

/** Removes values that are meaningful only for a site. As in Caddy, sorted blocks ignore these values. */
export function onlyRoutes(values: readonly ConfigValue[]): ConfigValue[] {
  return values.filter(({ value }) => isRoute(value));
}

function isRoute(value: unknown): value is RouteConfig | RouteSequence {
  return typeof value === 'object' && value !== null && ('handle' in value || 'routes' in value || 'match' in value);
}

function grouped(route: RouteConfig, group: string | undefined): RouteConfig {
  return group === undefined ? route : carryOrigin(route, { group, ...route });
}

function checkOrder(values: readonly ConfigValue[], order: ReadonlyMap<string, number>): readonly ConfigValue[] {
  const unordered = values.find(({ directive = '' }) => !order.has(orderedName(directive)));
  if (unordered === undefined) return values;
  throw caddyfileError(
    `directive '${unordered.directive}' is not an ordered HTTP handler, so it cannot be used here - try placing within a route block or using the order global option`,
    undefined,
    originOf(unordered.value)?.[0],
  );
}

/** Merges adjacent routes whose matchers, group, and `terminal` field are equal. */
export function joinRoutes(routes: readonly RouteConfig[]): RouteConfig[] {
  const joined: RouteConfig[] = [];
  for (let at = 0; at < routes.length;) {
    const first = itemAt(routes, at);
    let end = at + 1;
    while (end < routes.length && alike(first, itemAt(routes, end))) end++;
    joined.push(end === at + 1 ? first : carryOrigin(first, withHandlersOf(first, routes.slice(at, end))));
    at = end;
  }
  return joined;
}

/** Returns the first of `routes`, extended with the handlers of all routes. If no route has handlers, the result has no handlers. */
function withHandlersOf({ terminal, ...route }: RouteConfig, routes: readonly RouteConfig[]): RouteConfig {
  const handle = routes.flatMap((each) => each.handle ?? []);
  if (handle.length > 0) route.handle = handle;
  return terminal === undefined ? route : { ...route, terminal };
}

function alike(a: RouteConfig, b: RouteConfig): boolean {
  return a.terminal === b.terminal && a.group === b.group && jsonEqual(a.match, b.match);
}
