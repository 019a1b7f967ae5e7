/** Lint check SL011. */
import { isArray, isObject, own, type Json } from '@sluice/base';
import { caddyfile, defineLint, textFinder } from '@sluice/registry';
import { everyRoute } from '../every-route.ts';
import type { ServerModel } from '../model.ts';
import { serversOf } from '../servers.ts';

/** Status codes of errors that can occur for any request. The server raises some of them; a failing handler can raise the others. */
const always = [400, 408, 413, 414, 421, 431, 500, 501, 505];

export const unreachableErrorRoute = defineLint({
  code: 'SL011',
  name: 'unreachable-error-route',
  severity: 'warning',
  summary: 'An error route is unreachable, because no handler produces its status code.',
  details: `Error routes run for errors that handlers raise. An upstream response with status code 404 is not an error. A \`respond\` with status code 404 is not an error either. Handle such responses with the proxy's \`handle_response\`, or with \`intercept\`.`,
  bad: caddyfile(`:8080 {
	reverse_proxy 127.0.0.1:9000
	handle_errors 404 {
		respond "not here"
	}
}
`),
  good: caddyfile(`:8080 {
	reverse_proxy 127.0.0.1:9000
	handle_errors 502 {
		respond "come again"
	}
}
`),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) {
      if (server.errors.routes.length === 0) continue;
      const raised = raisedIn(server);
      if (raised === null) continue;
      for (const { node, path } of server.errors.routes) {
        const wanted = statusesOf(own(node, 'match'));
        if (wanted === null || wanted.some((status) => raised.has(status))) continue;
        report(
          path,
          `unreachable: no handler of this server raises an error with status ${wanted.join(' or ')}; use handle_response or intercept for responses`,
        );
      }
    }
  },
});

const statusesIn = textFinder((text) => /^=\d{3}$/.test(text));

/** Returns all error status codes that may occur. Returns `null` if any status code may occur. */
function raisedIn(server: ServerModel): ReadonlySet<number> | null {
  const raised = new Set(always);
  for (const { handlers, node } of everyRoute(server)) {
    for (const { flow } of handlers) {
      if (flow.raises === undefined || flow.raises === null) return null;
      for (const status of flow.raises) raised.add(status);
    }
    // The last entry in `try_files` may be a status code for an error.
    for (const { text } of statusesIn(own(node, 'match'), [])) raised.add(Number(text.slice(1)));
  }
  return raised;
}

/** Returns the status codes that matcher sets match. Returns `null` if a set may match other status codes. */
function statusesOf(match: Json | undefined): readonly number[] | null {
  const all: number[] = [];
  for (const set of isArray(match) ? match : []) {
    const expression = isObject(set) ? own(set, 'expression') : undefined;
    const text = isObject(expression) ? own(expression, 'expr') : expression;
    const [, one, list] =
      /^\{http\.error\.status_code\} (?:== (\d{3})|in \[([\d, ]+)\])$/.exec(typeof text === 'string' ? text : '') ?? [];
    if (one === undefined && list === undefined) return null;
    all.push(...(one ?? list ?? '').split(',').map(Number));
  }
  return all.length === 0 ? null : all;
}
