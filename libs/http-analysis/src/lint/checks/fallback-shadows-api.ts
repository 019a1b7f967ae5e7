/** Lint check SL033. */
import { isArray, isObject, own, type Json } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { everyNestedList } from '../every-route.ts';
import { nameOf } from '../dead-reports.ts';
import type { RouteModel, RoutesModel } from '../model.ts';
import { serversOf } from '../servers.ts';

export const fallbackShadowsApi = defineLint({
  code: 'SL033',
  name: 'fallback-shadows-api',
  severity: 'warning',
  summary: 'A fallback rewrites API requests to the page of an application.',
  details: `\`try_files {path} /index.html\` rewrites every path without a file. A later route for \`/api/*\` then no longer matches those paths, so the API returns the page with status code 200. Put the fallback and the API into separate \`handle\` blocks.`,
  bad: caddyfile(`:8080 {
	root /srv/www
	try_files {path} /index.html
	reverse_proxy /api/* 127.0.0.1:9000
	file_server
}
`),
  good: caddyfile(`:8080 {
	handle /api/* {
		reverse_proxy 127.0.0.1:9000
	}
	handle {
		root /srv/www
		try_files {path} /index.html
		file_server
	}
}
`),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) {
      for (const list of [server.routes, ...everyNestedList(server)]) {
        for (const [route, fallback, page] of swallowed(list)) {
          report(
            route.path,
            `does not receive its requests: ${nameOf(fallback)} rewrites paths without a file to ${page} first; separate the two with handle blocks`,
            {
              related: [{ path: fallback.path, message: 'the fallback' }],
            },
          );
        }
      }
    }
  },
});

function swallowed({ routes }: RoutesModel): (readonly [RouteModel, RouteModel, string])[] {
  return routes.flatMap((fallback, index) => {
    const page = pageOf(fallback);
    if (page === null) return [];
    const after = routes.slice(index + 1).filter((route) => {
      const paths = pathsOf(own(route.node, 'match'));
      const responds = route.handlers.some(({ name }) => name === 'reverse_proxy' || name === 'subroute');
      return (
        responds &&
        paths.length > 0 &&
        paths.every((path) => /^\/.*\/\*$/.test(path) && !page.startsWith(path.slice(0, -1)))
      );
    });
    return after.map((route) => [route, fallback, page] as const);
  });
}

/**
 * Returns the fallback page of a route that rewrites the paths of all missing files to one page. Returns `null` if the route has no such
 * rewrite.
 */
function pageOf({ node, handlers, group }: RouteModel): string | null {
  if (group !== '' || !handlers.some(({ name }) => name === 'rewrite')) return null;
  const match = own(node, 'match');
  const [set] = isArray(match) && match.length === 1 ? match : [];
  if (!isObject(set) || Object.keys(set).length !== 1) return null;
  const file = own(set, 'file');
  const tried = isObject(file) ? own(file, 'try_files') : undefined;
  const last = isArray(tried) ? tried.at(-1) : undefined;
  return typeof last === 'string' && /^\/[^{}]*$/.test(last) && isArray(tried) && tried.length > 1 ? last : null;
}

function pathsOf(match: Json | undefined): readonly string[] {
  return (isArray(match) ? match : []).flatMap((set) => {
    const paths = isObject(set) ? own(set, 'path') : undefined;
    return isArray(paths) ? paths.filter((each) => typeof each === 'string') : [''];
  });
}
