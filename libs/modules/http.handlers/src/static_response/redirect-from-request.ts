/** Lint check SL022. */
import { isObject, own } from '@sluice/base';
import { caddyfile, defineLint, textsIn } from '@sluice/registry';

/** Matches redirect URLs whose host contains a placeholder that an attacker can set through a link. */
const chosen = /^(?:[a-z]+:)?(?:\/\/)?[^/?#]*(\{http\.request\.(?:uri\.query\.|header\.|cookie\.|body)[^}]*\})/i;

export const redirectFromRequest = defineLint({
  code: 'SL022',
  name: 'redirect-from-request',
  severity: 'error',
  summary: 'The client can choose the host that a redirect leads to (open redirect).',
  details: `Attackers can send links to your site that lead to any other site, which facilitates phishing. Set the host yourself and let the request determine only the path, or select one of your addresses with \`map\`.`,
  bad: caddyfile(`:8080 {
	redir {query.next}
}
`),
  good: caddyfile(`:8080 {
	redir https://login.example.com/?next={query.next}
}
`),
  check(configuration, report) {
    for (const module of configuration.modulesOf('http.handlers.static_response')) {
      const headers = isObject(module.node) ? own(module.node, 'headers') : undefined;
      for (const [name, values] of isObject(headers) ? Object.entries(headers) : []) {
        if (name.toLowerCase() !== 'location') continue;
        for (const { text, path: at } of textsIn(values, [...module.path, 'headers', name])) {
          const [, found] = chosen.exec(text) ?? [];
          if (found !== undefined)
            report(
              at,
              `is an open redirect, because ${found} can contain any host: set the host yourself, and let the request determine only the path`,
            );
        }
      }
    }
  },
});
