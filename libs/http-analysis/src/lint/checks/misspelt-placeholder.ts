/** SL018. */
import { caddyfile, defineLint } from '@sluice/registry';
import { misspeltIn } from '@sluice/http-app';

export const misspeltPlaceholder = defineLint({
  code: 'SL018',
  name: 'misspelt-placeholder',
  severity: 'warning',
  summary: 'Nothing sets a placeholder, so it stays unreplaced or becomes empty.',
  details: `Nothing tells of it when a request comes: clients and upstreams get the braces. The [list of placeholders](../placeholders.md) has
all that the server sets; a \`map\` may set others.`,
  bad: caddyfile(`:8080 {
	respond "{http.request.hots}"
}
`),
  good: caddyfile(`:8080 {
	respond "{http.request.host}"
}
`),
  check(configuration, report) {
    const isOurs = (id: string): boolean => /^http\.(?:handlers|matchers)\.[^.]+$/.test(id);
    const { document } = configuration;
    for (const id of [...configuration.ids].filter(isOurs))
      for (const module of configuration.modulesOf(id))
        misspeltIn({ id, node: module.node, document }, (message, at) =>
          report([...module.path, ...at.map(String)], message),
        );
  },
});
