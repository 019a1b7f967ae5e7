/** Lint check SL018. */
import { caddyfile, defineLint } from '@sluice/registry';
import { misspeltIn } from '@sluice/http-app';

export const unknownPlaceholder = defineLint({
  code: 'SL018',
  name: 'unknown-placeholder',
  severity: 'warning',
  summary: 'A placeholder is unknown, so it is left unchanged or becomes empty.',
  details: `Unknown placeholders are not reported at run time: clients and upstreams receive the placeholder itself, or an empty string. See the [list of placeholders](../placeholders.md) that the server sets; \`map\` may set others.`,
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
