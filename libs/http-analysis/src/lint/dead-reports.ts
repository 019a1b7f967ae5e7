/** Reports unreachable routes. The reachability checks share this code. */
import { formatPointer, formatWhere, isArray, jsonEqual, own, type JsonObject } from '@sluice/base';
import type { LintedConfiguration, Report, ReportDetails } from '@sluice/registry';
import { hasGuard } from './guards.ts';
import type { DeadRoute } from './reach/dead.ts';
import { deadIn } from './reach/walk.ts';
import type { RouteModel } from './model.ts';

/** Reports whether a check covers an unreachable route. */
export type Concerns = (dead: DeadRoute) => boolean;

/** Reports the unreachable routes that a check selects. */
export async function reportDead(
  configuration: LintedConfiguration,
  report: Report,
  concerns: Concerns,
  say: (dead: DeadRoute) => string,
): Promise<void> {
  const { routes } = await deadIn(configuration);
  for (const dead of routes) {
    // Skip guards, because another check reports them.
    if (!concerns(dead) || hasGuard(dead.route)) continue;
    report(dead.route.path, say(dead), {
      related: [{ path: dead.by.path, message: 'the route that shadows it' }],
      ...fixOf(dead),
    });
  }
}

/**
 * Returns a fix that removes a route without effect. There is a fix for copies of a route, and for routes after a route that responds to
 * every request.
 */
function fixOf({ route, reason, by }: DeadRoute): Pick<ReportDetails, 'fix'> {
  if (reason !== 'after end' && !haveSameMatchers(route.node, by.node)) return {};
  return { fix: { title: 'remove the route', operations: [{ op: 'remove', path: formatPointer(route.path) }] } };
}

/** Returns the route name for messages. The name consists of the index, and of the matchers if they are short. */
export function nameOf({ node, path }: RouteModel): string {
  const match = own(node, 'match');
  const text = match === undefined ? '' : JSON.stringify(isArray(match) && match.length === 1 ? match[0] : match);
  const where = formatWhere(path.slice(-1));
  const shown = text === '' || text.length > 80 ? '' : ` ${text}`;
  return `route ${where.replaceAll(/[[\]]/g, '')}${shown}`;
}

export function haveSameMatchers(a: JsonObject, b: JsonObject): boolean {
  return jsonEqual(own(a, 'match') ?? null, own(b, 'match') ?? null);
}
