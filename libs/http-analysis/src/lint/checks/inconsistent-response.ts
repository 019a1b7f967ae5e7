/** Lint check SL055. */
import { isArray, isObject, own, type Json, type JsonObject } from '@sluice/base';
import { caddyfile, defineLint, finder } from '@sluice/registry';

export const inconsistentResponse = defineLint({
  code: 'SL055',
  name: 'inconsistent-response',
  severity: 'warning',
  summary: 'The status code of a response does not match its body or its Location.',
  details: `A response with status code 204, 205 or 304 has no body, so the body is never sent (RFC 9110 §6.4.1). A redirect without \`Location\` has no target, and browsers ignore \`Location\` in a response with status code 200. In a Caddyfile, \`redir\` sets both \`Location\` and a matching status code.`,
  bad: caddyfile(`:8080 {
	respond /old 301
	respond "hello"
}
`),
  good: caddyfile(`:8080 {
	redir /old /new 301
	respond "hello"
}
`),
  check(configuration, report) {
    // Another handler may add the header to this response.
    const isAdded = configuration
      .modulesOf('http.handlers.headers')
      .some(({ node }) => isObject(node) && namesLocation(own(node, 'response') ?? null));
    for (const module of configuration.modulesOf('http.handlers.static_response')) {
      const { node } = module;
      if (!isObject(node) || own(node, 'abort') === true) continue;
      const status = statusOf(node);
      const body = own(node, 'body');
      const location = locationOf(node);
      if (status === null) continue;
      if ([204, 205, 304].includes(status) && typeof body === 'string' && body !== '')
        report(
          [...module.path, 'body'],
          `is never sent, because a response with status ${status} has no body: remove it, or use 200`,
        );
      if ([301, 302, 303, 307, 308].includes(status) && location === null && !isAdded)
        report(
          [...module.path, 'status_code'],
          `a redirect with status ${status} has no target without Location: add a Location field, or use a different status`,
        );
      if (status === 200 && location !== null && (body === undefined || body === ''))
        report(
          [...module.path, 'headers', location],
          'is ignored in a response with status 200: set the status to 302 or 308',
        );
    }
  },
});

/** Returns the status of the response. Returns `null` if it is unknown. The default is the error status, if there is an error. */
function statusOf(node: JsonObject): number | null {
  const status = own(node, 'status_code');
  return /^\d{3}$/.test(String(status)) ? Number(status) : null;
}

/** Returns the name of the `Location` header as it is written in the configuration. */
function locationOf(node: JsonObject): string | null {
  const headers = own(node, 'headers');
  const found = isObject(headers)
    ? Object.entries(headers).find(([name, values]) => name.toLowerCase() === 'location' && isArray(values))
    : undefined;
  return found?.[0] ?? null;
}

const namesLocation = finder(
  (node: Json) => isObject(node) && Object.keys(node).some((key) => /^(?:location|\{.*|\*)$/i.test(key)),
);
