/** SL022. */
import { isObject, own } from '@sluice/base';
import { caddyfile, defineLint, textsIn } from '@sluice/registry';

/** A placeholder that any link can fill, where the address of a redirect names its host. */
const chosen = /^(?:[a-z]+:)?(?:\/\/)?[^/?#]*(\{http\.request\.(?:uri\.query\.|header\.|cookie\.|body)[^}]*\})/i;

export const redirectFromRequest = defineLint({
  code: 'SL022',
  name: 'redirect-from-request',
  severity: 'error',
  summary: 'The target of a redirect comes from the request.',
  details: `A link to a site that is trusted then leads anywhere, which is how passwords are fished for. Let the request choose a path, and name the host
yourself; or have a \`map\` turn what it says into one of your addresses.`,
  bad: caddyfile(`:8080 {
	redir {query.next}
}
`),
  good: caddyfile(`:8080 {
	redir https://login.example.com/?next={query.next}
}
`),
  check(configuration, report) {
    for (const { node, path } of configuration.modulesOf('http.handlers.static_response')) {
      const headers = isObject(node) ? own(node, 'headers') : undefined;
      for (const [name, values] of isObject(headers) ? Object.entries(headers) : []) {
        if (name.toLowerCase() !== 'location') continue;
        for (const { text, path: at } of textsIn(values, [...path, 'headers', name])) {
          const [, found] = chosen.exec(text) ?? [];
          if (found !== undefined)
            report(
              at,
              `lets whoever made the link choose the host, by ${found}: name the host, and let the request choose the path`,
            );
        }
      }
    }
  },
});
