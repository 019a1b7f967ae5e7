/** Lint check SL029. */
import { isArray, isObject, own, type ConfigPath, type Json, type JsonObject } from '@sluice/base';
import { caddyfile, defineLint, type LintedConfiguration } from '@sluice/registry';

/** Matches headers that applications use to identify the user. */
const identity =
  /^(?:x-)?(?:remote|forwarded|webauth|auth|authenticated|authentik|token)[-_](?:user|email|groups?|name|username|subject)$/i;

export const forgedIdentity = defineLint({
  code: 'SL029',
  name: 'forged-identity',
  severity: 'error',
  summary: 'The client can forge a header field that identifies the user.',
  details: `Always delete a field from client requests before you trust it. If the server sets the field only for some requests, other requests keep the client's value. Delete the field first (\`request_header -Remote-User\`); \`forward_auth\` with \`copy_headers\` does this automatically.`,
  bad: caddyfile(`:8080 {
	@known header Remote-User *
	reverse_proxy @known 127.0.0.1:9000
	respond "who are you?" 401
}
`),
  good: caddyfile(`:8080 {
	forward_auth 127.0.0.1:9091 {
		uri /verify
		copy_headers Remote-User
	}
	reverse_proxy 127.0.0.1:9000
}
`),
  check(configuration, report) {
    const removed = removedIn(configuration);
    for (const { node, path } of configuration.modulesOf('http.matchers.header')) {
      for (const name of isObject(node) ? Object.keys(node) : [])
        if (identity.test(name) && !removed.has(name.toLowerCase()))
          report([...path, name], `trusts a field that the client can send: delete ${name} from client requests first`);
    }
    for (const { node, path } of configuration.modulesOf('http.handlers.headers')) {
      const set = operations(node, 'set');
      for (const [name, values] of Object.entries(set ?? {})) {
        const isCopied = JSON.stringify(values).includes('{http.reverse_proxy.header.');
        // If a route sets the header for all requests, it overwrites the client's value.
        if (isCopied && isConditional(configuration, path) && !removed.has(name.toLowerCase()))
          report(
            [...path, 'request', 'set', name],
            `sets ${name} only for some requests, so other requests keep the client's value: delete it first`,
          );
      }
    }
  },
});

/** Returns the lowercase names of headers that handlers remove from requests. */
function removedIn(configuration: LintedConfiguration): ReadonlySet<string> {
  const removed = new Set<string>();
  for (const { node } of configuration.modulesOf('http.handlers.headers')) {
    const request = isObject(node) ? own(node, 'request') : undefined;
    const names = isObject(request) ? own(request, 'delete') : undefined;
    for (const name of isArray(names) ? names : []) removed.add(String(name).toLowerCase());
  }
  return removed;
}

function operations(node: Json, key: string): JsonObject | null {
  const request = isObject(node) ? own(node, 'request') : undefined;
  const found = isObject(request) ? own(request, key) : undefined;
  return isObject(found) ? found : null;
}

/** Reports whether the route that contains a handler has matchers. */
function isConditional(configuration: LintedConfiguration, path: ConfigPath): boolean {
  const match = configuration.valueAt([...path.slice(0, -2), 'match']);
  return isArray(match) && match.length > 0;
}
