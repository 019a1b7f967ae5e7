/** How the checks of reachability tell of dead routes: one sentence each about who stands in the way. */
import { formatPointer, formatWhere, isArray, jsonEqual, own, type JsonObject } from '@sluice/base';
import type { LintedConfiguration, Report, ReportDetails } from '@sluice/registry';
import { hasGuard } from './guards.ts';
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
    // Guards have a check of their own.
    if (!concerns(dead) || hasGuard(dead.route)) continue;
    report(dead.route.path, say(dead), {
      related: [{ path: dead.by.path, message: 'the route that stands in the way' }],
      ...fixOf(dead),
    });
  }
}

/** Only what surely does nothing is removed without a thought: what comes after an end, and copies. */
function fixOf({ route, reason, by }: DeadRoute): Pick<ReportDetails, 'fix'> {
  if (reason !== 'after end' && !haveSameMatchers(route.node, by.node)) return {};
  return { fix: { title: 'remove the route', operations: [{ op: 'remove', path: formatPointer(route.path) }] } };
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
