/** SL008. */
import { isArray, isObject, own, type Json } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { everyNestedList, everyRoute } from '../every-route.ts';
import type { RouteModel, ServerModel } from '../model.ts';
import { serversOf } from '../servers.ts';

export const pathPrefix = defineLint({
  code: 'SL008',
  name: 'path-prefix',
  severity: 'warning',
  summary: 'A path is meant as a prefix and is exact, or takes more than the folder.',
  details: `\`/api\` is that very path alone, and \`/api*\` is also \`/apifoo\`. What is meant most often is \`/api/*\`, which is all that is below, and also
\`/api/\`; \`/api\` itself can be named beside it. An exact path whose prefix is stripped leaves nothing but the root. A star right after a
word is found where something beside the folder is named, or where the folder is stripped.`,
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
                `is this very path alone, from which the prefix leaves nothing: write ${pattern}/* for all below it`,
              );
            const [, folder] = /^(\/[\w/-]*\w)\*$/.exec(pattern) ?? [];
            if (folder === undefined) continue;
            neighbours ??= neighboursIn(server);
            const beside = (neighbours.get(route) ?? []).flatMap(pathsOf);
            const other = folder === stripped ? `${folder}foo` : beside.find((each) => isBeside(each, folder));
            if (other !== undefined)
              report(
                at,
                `also takes ${other}, which is not in the folder: write ${folder} ${folder}/* for the folder alone`,
              );
          }
        }
      }
    }
  },
});

/** Whether a matcher set is about paths. */
function hasPath(set: Json): boolean {
  return isObject(set) && own(set, 'path') !== undefined;
}

/** The routes of the list in which a route stands. */
function neighboursIn(server: ServerModel): ReadonlyMap<RouteModel, readonly RouteModel[]> {
  return new Map(
    [server.routes, ...everyNestedList(server)].flatMap(({ routes }) =>
      routes.map((route) => [route, routes] as const),
    ),
  );
}

/** All paths that a route names. */
function pathsOf({ node }: RouteModel): readonly string[] {
  const match = own(node, 'match');
  return (isArray(match) ? match : []).flatMap((set) => {
    const paths = isObject(set) ? own(set, 'path') : undefined;
    return isArray(paths) ? paths.filter((each) => typeof each === 'string') : [];
  });
}

/** Whether a path only begins with the name of a folder. */
function isBeside(path: string, folder: string): boolean {
  return path.startsWith(folder) && /^\w[\w/-]*(?:\/\*)?$/.test(path.slice(folder.length));
}

/** What the first handlers of a route strip from its path. */
function prefixStripped({ handlers }: RouteModel): string | null {
  const [first] = handlers;
  if (first === undefined) return null;
  const prefix = first.name === 'rewrite' ? own(first.node, 'strip_path_prefix') : undefined;
  if (typeof prefix === 'string') return prefix;
  const inner = first.lists.find(({ entry }) => entry === 'request')?.routes[0];
  return inner === undefined || inner.sets.length > 0 ? null : prefixStripped(inner);
}
