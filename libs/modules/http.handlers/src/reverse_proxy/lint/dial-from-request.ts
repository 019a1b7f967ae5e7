/** SL021. */
import { isArray, isObject, own } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';

/** Placeholders that a client fills as it likes. */
const fromClient = /\{http\.request\.(?:host|hostport|port|header\.|cookie\.|uri|orig_uri|body)[^}]*\}/;

export const dialFromRequest = defineLint({
  code: 'SL021',
  name: 'dial-from-request',
  severity: 'error',
  summary: 'The address of an upstream comes from the request.',
  details: `Whoever sends a request then chooses where the server connects to: other machines of the internal network, or the server itself.
Name the upstreams, or have a \`map\` turn what the request says into one of them.`,
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
    for (const { node, path } of configuration.modulesOf('http.handlers.reverse_proxy')) {
      const upstreams = isObject(node) ? own(node, 'upstreams') : undefined;
      for (const [index, upstream] of (isArray(upstreams) ? upstreams : []).entries()) {
        const dial = isObject(upstream) ? own(upstream, 'dial') : undefined;
        const [found] = typeof dial === 'string' ? (fromClient.exec(dial) ?? []) : [];
        if (found === undefined) continue;
        const at = [...path, 'upstreams', String(index), 'dial'];
        report(
          at,
          `has the client choose where to connect to, by ${found}: name the upstreams, or choose among them by a map`,
        );
      }
    }
  },
});
