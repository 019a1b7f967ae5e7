/** Finds route groups whose routes are evaluated in a known order. */
import type { RoutesModel, ServerModel } from '../model.ts';

/**
 * Returns the groups that occur in only one list and that each request passes only once. If a handler runs other lists again, for example
 * in error routes, a group may be decided before its list is entered.
 */
export function sureGroups({ routes, errors, named, path }: ServerModel): ReadonlySet<string> {
  const lists = new Map<string, number>();
  const all = [routes, errors, ...[...named.values()].map((route) => ({ path, routes: [route] }))];
  const areWalkedOnce = all.map((list) => visit(list, lists)).every(Boolean);
  return new Set(areWalkedOnce ? [...lists].flatMap(([name, count]) => (count === 1 ? [name] : [])) : []);
}

function visit({ routes }: RoutesModel, lists: Map<string, number>): boolean {
  let isWalkedOnce = true;
  for (const name of new Set(routes.map(({ group }) => group))) lists.set(name, (lists.get(name) ?? 0) + 1);
  for (const { handlers } of routes) {
    for (const { flow, lists: nested } of handlers) {
      if (flow.changes === null) isWalkedOnce = false;
      for (const list of nested) if (!visit(list, lists)) isWalkedOnce = false;
    }
  }
  return isWalkedOnce;
}
