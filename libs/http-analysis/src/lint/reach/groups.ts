/** Groups of routes, and of which it is sure in which order their routes are asked. */
import type { RoutesModel, ServerModel } from '../model.ts';

/**
 * The groups that stand in one list alone, which is walked once for each request. Where a handler may run what follows it
 * again, as error routes do that go on, a group may have been decided before the list is entered: then none is sure.
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
