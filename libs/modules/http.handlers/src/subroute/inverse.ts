/** A subroute as `handle`, `handle_path` or `route`. */
import { isArray, isObject, jsonEqual, type Json, type JsonObject } from '@sluice/base';
import { compact, listAt, objectAt, words, type WriteDirective, type WriteSite, type Written } from '@sluice/caddyfile';

/** `handle { … }` */
export const handle: WriteDirective = async (handler, writer) =>
  handler['errors'] === undefined ? { block: await writer.routes(handler['routes'], true) } : null;

/** `route { … }` */
export const route: WriteDirective = async (handler, writer) =>
  handler['errors'] === undefined ? { block: await writer.routes(handler['routes'], false) } : null;

/** `handle_path PATH { … }`: the first route takes the prefix away that the path is matched by. */
export const handlePath: WriteDirective = async (handler, writer, match) => {
  const path = pathOf(match);
  const routes = isArray(handler['routes']) ? handler['routes'] : [];
  const [first, ...others] = routes;
  const prefix = path.endsWith('/*') ? path.slice(0, -2) : path.replace(/\*$/, '');
  const strip = compact({ handler: 'rewrite', strip_path_prefix: prefix });
  if (path === '' || !isObject(first)) return null;
  const { handle: handlers, ...rest } = first;
  if (Object.keys(rest).length > 0 || !isArray(handlers) || !jsonEqual(handlers[0], strip)) return null;
  // Handlers that match all requests were joined to it.
  const joined: readonly Json[] = handlers.length === 1 ? others : [{ handle: handlers.slice(1) }, ...others];
  return { words: [path], block: await writer.routes(joined, true), matched: true };
};

function pathOf(match: JsonObject | null): string {
  const [path = '', ...more] = words(match?.['path']);
  return more.length === 0 && Object.keys(match ?? {}).length === 1 ? path : '';
}

/** `handle_errors [STATUS | CLASS]… { … }` for each route of a site that runs after errors; others stand in one for all errors. */
export const handleErrors: WriteSite = async ({ errorRoutes }, _document, writer) => {
  const lines: Written[] = [];
  for (const route of errorRoutes) {
    const statuses = statusesOf(route);
    const [handler, ...more] = listAt(route, ['handle']);
    if (statuses === null || !isObject(handler) || handler['handler'] !== 'subroute' || more.length > 0) {
      return [{ block: await writer.routes(errorRoutes, true), routes: errorRoutes }];
    }
    const block = await writer.routes(handler['routes'] ?? [], true);
    lines.push({ words: statuses, block, routes: route });
  }
  return lines;
};

/** The statuses that the expression of a route names: none where it is for all, `null` where it is another expression. */
function statusesOf(route: Json): readonly string[] | null {
  const sets = listAt(route, ['match']);
  if (sets.length === 0) return [];
  const { expression } = objectAt(sets[0], []);
  if (sets.length > 1 || typeof expression !== 'string' || !jsonEqual(sets[0] ?? null, { expression })) return null;
  const statuses = expression.split(' || ').map((part) => {
    const list = /^\{http\.error\.status_code\} in \[([\d, ]+)\]$/.exec(part);
    if (list !== null) return list[1]?.split(', ') ?? [];
    const range = /^\{http\.error\.status_code\} >= (\d)00 && \{http\.error\.status_code\} <= (\d)99$/.exec(part);
    return range === null ? null : [`${range[1]}xx`];
  });
  return statuses.includes(null) ? null : statuses.flatMap((each) => each ?? []);
}
