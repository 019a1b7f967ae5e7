/** Lint check SL028. */
import { isArray, isObject, own } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { everyNestedList } from '../every-route.ts';
import { isGuard } from '../guards.ts';
import type { HandlerModel, RouteModel, RoutesModel } from '../model.ts';
import { serversOf } from '../servers.ts';

export const bypassedGuard = defineLint({
  code: 'SL028',
  name: 'bypassed-guard',
  severity: 'error',
  summary: 'Access control can be bypassed, because it checks the path before a rewrite.',
  details: `If authentication for \`/admin/*\` comes before a prefix is stripped, it does not match \`/app/admin/\`, which the upstream then receives as \`/admin/\`. Rewrite
the path first, or protect the original path.`,
  bad: caddyfile(`http://127.0.0.1:8080 {
	bind 127.0.0.1
	route {
		respond /admin/* "no" 403
		uri strip_prefix /app
		reverse_proxy 127.0.0.1:9000
	}
}
`),
  good: caddyfile(`http://127.0.0.1:8080 {
	bind 127.0.0.1
	route {
		uri strip_prefix /app
		respond /admin/* "no" 403
		reverse_proxy 127.0.0.1:9000
	}
}
`),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) {
      for (const list of [server.routes, ...everyNestedList(server)]) {
        for (const [guard, change] of unguarded(list)) {
          report(
            guard.path,
            `can be bypassed: the path is rewritten afterwards, so other paths lead there as well; move it after the rewrite`,
            {
              related: [{ path: change.path, message: 'the path is rewritten here' }],
            },
          );
        }
      }
    }
  },
});

/** Returns path guards with two later handlers: one that changes the path, and one that serves the changed path. */
function unguarded({ routes }: RoutesModel): (readonly [RouteModel, HandlerModel])[] {
  return routes.flatMap((route, index) => {
    const guarded = route.handlers.some((each) => isGuard(each) || refuses(each)) ? pathsOf(route) : [];
    if (guarded.length === 0) return [];
    const after = routes
      .slice(index + 1)
      .flatMap(({ handlers, sets }) => handlers.map((handler) => ({ handler, sets })));
    const change = after.findIndex(({ handler }) => leadsTo(handler, guarded));
    const serves = after.slice(change + 1).some(({ handler }) => handler.flow.passes !== 'maybe' && !refuses(handler));
    const found = change < 0 || !serves ? undefined : after[change];
    return found === undefined ? [] : [[route, found.handler] as const];
  });
}

function refuses({ name, node }: HandlerModel): boolean {
  return ['static_response', 'error'].includes(name) && /^40[13]$/.test(String(own(node, 'status_code')));
}

function pathsOf({ node }: RouteModel): readonly string[] {
  const match = own(node, 'match');
  return (isArray(match) ? match : []).flatMap((set) => {
    const paths = isObject(set) ? own(set, 'path') : undefined;
    return isArray(paths) ? paths.filter((each) => typeof each === 'string') : [];
  });
}

/** Reports whether stripping the prefix can turn a path that is not guarded into a guarded path. */
function leadsTo({ name, node }: HandlerModel, guarded: readonly string[]): boolean {
  const prefix = name === 'rewrite' ? own(node, 'strip_path_prefix') : undefined;
  return (
    typeof prefix === 'string' &&
    prefix !== '' &&
    guarded.every((path) => path.startsWith('/') && !path.startsWith(prefix))
  );
}
