/** Lint check SL060. */
import { isObject, own } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';

export const sharedPrivateResponses = defineLint({
  code: 'SL060',
  name: 'shared-private-responses',
  severity: 'warning',
  summary: 'A cache stores responses that are intended for a single client.',
  details: `In the \`bypass\` and \`bypass_response\` modes, the cache ignores \`private\` and \`no-store\` in responses. As a result, one client can receive a page that was generated for another client. To store responses that do not specify a lifetime, set \`ttl\` instead. To ignore client reloads, use \`bypass_request\`.`,
  bad: caddyfile(`:8080 {
	cache {
		mode bypass
	}
	reverse_proxy 127.0.0.1:9000
}
`),
  good: caddyfile(`:8080 {
	cache {
		mode bypass_request
		ttl 5m
	}
	reverse_proxy 127.0.0.1:9000
}
`),
  check(configuration, report) {
    for (const id of ['cache', 'http.handlers.cache'])
      for (const { node, path } of configuration.modulesOf(id)) {
        const mode = isObject(node) ? own(node, 'mode') : undefined;
        if (mode === 'bypass' || mode === 'bypass_response')
          report(
            [...path, 'mode'],
            'stores private responses and sends them to other clients: use bypass_request, or set ttl',
          );
      }
  },
});
