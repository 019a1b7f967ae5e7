/** Routes for errors as directives `handle_errors`. */
import { isObject, jsonEqual, type Json } from '@sluice/base';
import { commentJson } from './text.ts';
import { listAt, objectAt } from './trial.ts';
import type { RouteWriter } from './route-writer.ts';
import type { Line } from '../inverse/written.ts';

/** Lines for the routes of a site that run after errors. */
export async function writeErrorRoutes(routes: readonly Json[], writer: RouteWriter): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const route of routes) {
    const statuses = statusesOf(route);
    const [handler] = listAt(route, ['handle']);
    if (statuses === null || !isObject(handler) || handler['handler'] !== 'subroute') {
      writer.unsaid.push(route);
      lines.push({ words: [], comment: `can't be said of errors: ${commentJson(route)}` });
    } else {
      lines.push({ words: ['handle_errors', ...statuses], block: await writer.routes(handler['routes'], true) });
    }
  }
  return lines;
}

/** The statuses that the expression of a route names: none where it is for all, `null` where it is another expression. */
function statusesOf(route: Json): readonly string[] | null {
  const sets = listAt(route, ['match']);
  if (sets.length === 0) return [];
  const { expression } = objectAt(sets[0], []);
  if (sets.length > 1 || typeof expression !== 'string' || !jsonEqual(sets[0], { expression })) return null;
  const statuses = expression.split(' || ').map((part) => {
    const list = /^\{http\.error\.status_code\} in \[([\d, ]+)\]$/.exec(part);
    if (list !== null) return list[1]?.split(', ') ?? [];
    const range = /^\{http\.error\.status_code\} >= (\d)00 && \{http\.error\.status_code\} <= (\d)99$/.exec(part);
    return range === null ? null : [`${range[1]}xx`];
  });
  return statuses.includes(null) ? null : statuses.flatMap((each) => each ?? []);
}
