/** Lint check SL008. */
import { isArray, isObject, own, type Json } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { everyNestedList, everyRoute } from '../every-route.ts';
import type { RouteModel, ServerModel } from '../model.ts';
import { serversOf } from '../servers.ts';

export const pathPrefix = defineLint({
  code: 'SL008',
  name: 'path-prefix',
  severity: 'warning',
  summary: 'A path matcher is exact where a prefix is probably intended, or matches more than the intended directory.',
  details: `\`/api\` matches only that path, and \`/api*\` also matches \`/apifoo\`. Usually, \`/api/*\` is intended, which matches \`/api/\` and everything below it; to also match \`/api\` itself, list it as a second path. An exact path is reported if its prefix is stripped, if it leads to a directory of files, or if it is proxied and its last segment is a common prefix, such as \`api\` or \`v1\`. Other exact paths, such as \`/health\`, are not reported. \`/api*\` is reported if a neighboring route names a path that it also matches, or if the prefix is stripped.`,
  bad: caddyfile(`:8080 {
	handle_path /api {
		reverse_proxy 127.0.0.1:9000
	}
}
`),
  good: caddyfile(`:8080 {
	handle_path /api/* {
		reverse_proxy 127.0.0.1:9000
	}
}
`),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) {
      let neighbours: ReadonlyMap<RouteModel, readonly RouteModel[]> | null = null;
      for (const route of everyRoute(server)) {
        const match = own(route.node, 'match');
        if (!isArray(match) || !match.some(hasPath)) continue;
        const stripped = prefixStripped(route);
        for (const [index, set] of (isArray(match) ? match : []).entries()) {
          const patterns = isObject(set) ? own(set, 'path') : undefined;
          for (const [number, pattern] of (isArray(patterns) ? patterns : []).entries()) {
            if (typeof pattern !== 'string') continue;
            const at = [...route.path, 'match', String(index), 'path', String(number)];
            const isAlone = isArray(patterns) && patterns.length === 1;
            if (isAlone && pattern === stripped)
              report(
                at,
                `matches only this path, and stripping the prefix leaves nothing of it: use ${pattern}/* for everything below it`,
              );
            else if (isAlone && isPrefixOf(route, pattern))
              report(
                at,
                `matches only this path and nothing below it: use ${pattern}/*, or ${pattern} ${pattern}/* for both`,
              );
            const [, folder] = /^(\/[\w/-]*\w)\*$/.exec(pattern) ?? [];
            if (folder === undefined) continue;
            neighbours ??= neighboursIn(server);
            const beside = (neighbours.get(route) ?? []).flatMap(pathsOf);
            const other = folder === stripped ? `${folder}foo` : beside.find((each) => isBeside(each, folder));
            if (other !== undefined)
              report(
                at,
                `also matches ${other}, which is not in this directory: use ${folder} ${folder}/* for the directory alone`,
              );
          }
        }
      }
    }
  },
});

/** Last path segments that usually represent prefixes, because applications and APIs serve paths below them. */
const prefixes =
  /^(?:admin|apis?|app|assets|backend|cdn|css|docs|downloads|files|images|img|js|media|public|rest|static|uploads|v\d+)$/;

/** Reports whether an exact path is probably intended as a prefix. The decision depends on the handler and the path name. */
function isPrefixOf(route: RouteModel, path: string): boolean {
  const [, segment] = /\/([^/.*{}]+)$/.exec(path) ?? [];
  if (segment === undefined) return false;
  const responder = responderOf(route);
  return responder === 'file_server' || (responder === 'reverse_proxy' && prefixes.test(segment));
}

/**
 * Returns the name of the handler that serves the unchanged path. Returns `null` if there is none, or if an earlier handler rewrites the
 * path.
 */
function responderOf({ handlers }: RouteModel): string | null {
  for (const { name, lists } of handlers) {
    if (name === 'rewrite') return null;
    if (name === 'file_server' || name === 'reverse_proxy') return name;
    for (const { entry, routes } of lists) {
      if (entry !== 'request') continue;
      if (routes.some((inner) => inner.sets.length > 0)) return null;
      const inner = routes.map(responderOf).find((found) => found !== null);
      if (inner !== undefined) return inner;
    }
  }
  return null;
}

function hasPath(set: Json): boolean {
  return isObject(set) && own(set, 'path') !== undefined;
}

/** Returns a map from each route to the list that contains the route. */
function neighboursIn(server: ServerModel): ReadonlyMap<RouteModel, readonly RouteModel[]> {
  return new Map(
    [server.routes, ...everyNestedList(server)].flatMap(({ routes }) =>
      routes.map((route) => [route, routes] as const),
    ),
  );
}

/** Returns the paths in all matchers of a route. */
function pathsOf({ node }: RouteModel): readonly string[] {
  const match = own(node, 'match');
  return (isArray(match) ? match : []).flatMap((set) => {
    const paths = isObject(set) ? own(set, 'path') : undefined;
    return isArray(paths) ? paths.filter((each) => typeof each === 'string') : [];
  });
}

/** Reports whether a path starts with a directory name but is not inside this directory. */
function isBeside(path: string, folder: string): boolean {
  return path.startsWith(folder) && /^\w[\w/-]*(?:\/\*)?$/.test(path.slice(folder.length));
}

/** Returns the path prefix that the first handlers of a route strip. */
function prefixStripped({ handlers }: RouteModel): string | null {
  const [first] = handlers;
  if (first === undefined) return null;
  const prefix = first.name === 'rewrite' ? own(first.node, 'strip_path_prefix') : undefined;
  if (typeof prefix === 'string') return prefix;
  const inner = first.lists.find(({ entry }) => entry === 'request')?.routes[0];
  return inner === undefined || inner.sets.length > 0 ? null : prefixStripped(inner);
}
