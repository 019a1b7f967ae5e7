import type { ConfigPath, Json } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import { caddyfile, defineLint, textFinder } from '@sluice/registry';

/** Matches placeholders for decoded parts of the request, which can contain any character. */
const decoded = /\{(http\.request\.uri\.(?:path|query\.[^}]+|path\.(?:file|dir|\d+)[^}]*))\}/;

const placeholdersIn = textFinder((text) => text.includes('{http.request.uri.'));

export const decodedText = defineLint({
  code: 'SL023',
  name: 'decoded-text',
  severity: 'warning',
  summary: 'A header field contains decoded request data.',
  details: `When decoded, \`%0d%0a\` in a path or query is a line break. The server removes line breaks from fields. However, clients can still insert commas, semicolons and spaces, at which the recipient may split the value. Use a placeholder that is still escaped: \`{http.request.uri.path_escaped}\` or \`{http.request.uri}\`.`,
  bad: caddyfile(`:8080 {
	header X-Query {query.name}
	respond "hello"
}
`),
  good: caddyfile(`:8080 {
	header X-Address {uri}
	respond "hello"
}
`),
  check(configuration, report) {
    for (const module of configuration.modulesOf('http.handlers.headers'))
      for (const side of sides) visit(module, [side]);
    for (const module of configuration.modulesOf('http.handlers.reverse_proxy'))
      for (const side of sides) visit(module, ['headers', side]);

    // Compute paths only when needed, because most modules do not match.
    function visit(module: { readonly node: Json; readonly path: ConfigPath }, at: readonly string[]): void {
      for (const key of ['set', 'add']) {
        const fields = getAt(module.node, [...at, key]);
        if (fields === undefined) continue;
        for (const { text, path } of placeholdersIn(fields, [...at, key])) {
          const [found, name = ''] = decoded.exec(text) ?? [];
          // Upstreams may trust any request header. In responses, only values that an attacker can set through a link are a risk.
          if (found !== undefined && (at.includes('request') || name.includes('.query.')))
            report(
              [...module.path, ...path],
              `puts decoded request data into a header field with ${found}: ${adviceFor(name)}`,
            );
        }
      }
    }
  },
});

const sides = ['request', 'response'];

function adviceFor(name: string): string {
  return name === 'http.request.uri.path'
    ? 'use {http.request.uri.path_escaped}'
    : 'use {http.request.uri}, which is still escaped, or validate the value with map';
}
