/** Lint check SL007. */
import { isArray, isObject, own, type JsonObject } from '@sluice/base';
import { caddyfile, defineLint, type Report } from '@sluice/registry';
import type { RouteModel, RoutesModel } from '../model.ts';
import { serversOf } from '../servers.ts';

export const strippedPrefix = defineLint({
  code: 'SL007',
  name: 'stripped-prefix',
  severity: 'warning',
  summary: 'A path matcher contains a prefix that has already been stripped.',
  details: `\`handle_path\` and \`uri strip_prefix\` strip the prefix from the path for everything that follows. Later matchers see the path without the prefix: within \`handle_path /api/*\`, match \`/users\` instead of \`/api/users\`.`,
  bad: caddyfile(`:8080 {
	handle_path /api/* {
		respond /api/users "users"
		respond "the API"
	}
}
`),
  good: caddyfile(`:8080 {
	handle_path /api/* {
		respond /users "users"
		respond "the API"
	}
}
`),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) {
      for (const list of [server.routes, ...[...server.named.values()].map(oneRoute)]) visit(list, null, report);
    }
  },
});

function oneRoute(route: RouteModel): RoutesModel {
  return { path: route.path, routes: [route] };
}

/** Visits a route list. `prefix` is the path prefix that has been stripped before this list. */
function visit({ routes }: RoutesModel, prefix: string | null, report: Report): void {
  let stripped = prefix;
  for (const route of routes) {
    if (stripped !== null) complain(route, stripped, report);
    let here = stripped;
    for (const { name, node, lists } of route.handlers) {
      if (name === 'rewrite') here = strippedBy(node);
      for (const list of lists) if (list.entry === 'request') visit(list, here, report);
    }
    if (route.sets.length === 0) stripped = here;
  }
}

function strippedBy(rewrite: JsonObject): string | null {
  const prefix = own(rewrite, 'strip_path_prefix');
  const others = Object.keys(rewrite).filter((key) => !['handler', 'strip_path_prefix', '@id'].includes(key));
  if (typeof prefix !== 'string' || prefix.includes('{') || others.length > 0) return null;
  return prefix.startsWith('/') ? prefix.replace(/\/$/, '') : `/${prefix}`;
}

function complain({ node, path }: RouteModel, prefix: string, report: Report): void {
  const match = own(node, 'match');
  for (const [index, set] of (isArray(match) ? match : []).entries()) {
    const patterns = isObject(set) ? own(set, 'path') : undefined;
    if (!isArray(patterns) || patterns.length === 0 || prefix === '') continue;
    const within = (each: unknown): boolean =>
      typeof each === 'string' && (each === prefix || each.startsWith(`${prefix}/`));
    if (!patterns.every(within)) continue;
    const at = [...path, 'match', String(index), 'path'];
    report(at, `never matches: the prefix ${prefix} has already been stripped from the path; remove it here`);
  }
}
