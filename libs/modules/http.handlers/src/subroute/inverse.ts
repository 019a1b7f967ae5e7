/** A subroute as `handle`, `handle_path` or `route`. */
import { isArray, isObject, jsonEqual, type Json, type JsonObject } from '@sluice/base';
import { words, type WriteDirective } from '@sluice/caddyfile';

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
  const strip = { handler: 'rewrite', strip_path_prefix: prefix };
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
