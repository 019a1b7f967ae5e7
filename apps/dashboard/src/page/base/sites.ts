/** Sites of a configuration. Each top-level route of a server is a site. */
import { isList, isObject, own, valueAt, type Json, type Path } from './json.ts';

export interface Site {
  readonly path: Path;
  readonly server: string;
  /** Host names of the site. Empty means all hosts. */
  readonly hosts: readonly string[];
  /** Text description of the other matchers. */
  readonly also: string;
  readonly handlers: readonly string[];
  readonly upstreams: readonly string[];
  readonly listen: readonly string[];
}

export function sitesOf(document: Json | undefined): Site[] {
  const servers = valueAt(document, ['apps', 'http', 'servers']);
  if (!isObject(servers)) return [];
  return Object.entries(servers).flatMap(([server, each]) => {
    const routes = own(each, 'routes');
    const listen = textsIn(own(each, 'listen'));
    if (!isList(routes)) return [];
    return routes.map((route, index) =>
      siteOf(route, { path: ['apps', 'http', 'servers', server, 'routes', index], server, listen }),
    );
  });
}

function siteOf(route: Json, place: Pick<Site, 'path' | 'server' | 'listen'>): Site {
  const sets = listOf(own(route, 'match')).filter(isObject);
  const others = sets.flatMap((set) => Object.entries(set).filter(([key]) => key !== 'host' && key !== '@id'));
  const handlers = handlersIn(route);
  return {
    ...place,
    hosts: [...new Set(sets.flatMap((set) => textsIn(set['host'])))],
    also: others
      .map(
        ([key, value]) =>
          `${key} ${isList(value) ? value.join(', ') : isObject(value) ? Object.keys(value).join(', ') : String(value)}`,
      )
      .join('; '),
    handlers: [...new Set(handlers.map((each) => String(own(each, 'handler'))).filter((name) => name !== 'subroute'))],
    upstreams: [
      ...new Set(
        handlers.flatMap((each) =>
          listOf(own(each, 'upstreams')).map((upstream) => String(own(upstream, 'dial') ?? '')),
        ),
      ),
    ],
  };
}

/** Returns all handlers of a route, including those in subroutes. */
function handlersIn(route: Json): Json[] {
  return listOf(own(route, 'handle')).flatMap((handler) => [
    handler,
    ...listOf(own(handler, 'routes')).flatMap(handlersIn),
  ]);
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function textsIn(value: Json | undefined): string[] {
  return listOf(value).map(String);
}
