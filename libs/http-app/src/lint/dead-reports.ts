/** How the checks of reachability tell of dead routes: one sentence each about who stands in the way. */
import { formatWhere, isArray, jsonEqual, own, type JsonObject } from '@sluice/base';
import type { LintedConfiguration, Report } from '@sluice/registry';
import type { DeadRoute } from './reach/dead.ts';
import { deadIn } from './reach/walk.ts';
import type { RouteModel } from './model.ts';

/** Which dead routes a check is about. */
export type Concerns = (dead: DeadRoute) => boolean;

/** Reports the dead routes that a check is about. */
export async function reportDead(
  configuration: LintedConfiguration,
  report: Report,
  concerns: Concerns,
  say: (dead: DeadRoute) => string,
): Promise<void> {
  const { routes } = await deadIn(configuration);
  for (const dead of routes) {
    if (!concerns(dead)) continue;
    report(dead.route.path, say(dead), {
      related: [{ path: dead.by.path, message: 'the route that stands in the way' }],
    });
  }
}

/** A route as messages name it: what it matches, where that is short, and where it stands. */
export function nameOf({ node, path }: RouteModel): string {
  const match = own(node, 'match');
  const text = match === undefined ? '' : JSON.stringify(isArray(match) && match.length === 1 ? match[0] : match);
  const where = formatWhere(path.slice(-1));
  const shown = text === '' || text.length > 80 ? '' : ` ${text}`;
  return `route ${where.replaceAll(/[[\]]/g, '')}${shown}`;
}

/** Whether two routes have the same matchers. */
export function haveSameMatchers(a: JsonObject, b: JsonObject): boolean {
  return jsonEqual(own(a, 'match') ?? null, own(b, 'match') ?? null);
}
