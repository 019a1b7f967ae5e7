/** Lint check SL021. */
import { isArray, isObject, own } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';

const fromClient = /\{http\.request\.(?:host|hostport|port|header\.|cookie\.|uri|orig_uri|body)[^}]*\}/;

export const dialFromRequest = defineLint({
  code: 'SL021',
  name: 'dial-from-request',
  severity: 'error',
  summary: 'The client can choose the upstream address.',
  details: `Clients can make the server connect to internal machines, or to itself (server-side request forgery). List the upstreams, or select one of them with \`map\`.`,
  bad: caddyfile(`:8080 {
	reverse_proxy {http.request.header.X-Backend}
}
`),
  good: caddyfile(`:8080 {
	map {http.request.header.X-Backend} {backend} {
		blue 127.0.0.1:9001
		default 127.0.0.1:9002
	}
	reverse_proxy {backend}
}
`),
  check(configuration, report) {
    for (const module of configuration.modulesOf('http.handlers.reverse_proxy')) {
      const { node } = module;
      const upstreams = isObject(node) ? own(node, 'upstreams') : undefined;
      for (const [index, upstream] of (isArray(upstreams) ? upstreams : []).entries()) {
        const dial = isObject(upstream) ? own(upstream, 'dial') : undefined;
        const [found] = typeof dial === 'string' ? (fromClient.exec(dial) ?? []) : [];
        if (found === undefined) continue;
        const at = [...module.path, 'upstreams', String(index), 'dial'];
        report(
          at,
          `lets the client choose the upstream with ${found}: list the upstreams, or select one of them with map`,
        );
      }
    }
  },
});
