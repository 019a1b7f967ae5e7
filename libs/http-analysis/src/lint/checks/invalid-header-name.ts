/** Lint check SL046. */
import { canonicalHeaderName, isObject, isToken, own, type ConfigPath } from '@sluice/base';
import { caddyfile, defineLint, type LintedConfiguration } from '@sluice/registry';
import { fieldOperations } from '../fields/header-operations.ts';
import { misspelledField } from '../fields/known-fields.ts';

export const invalidHeaderName = defineLint({
  code: 'SL046',
  name: 'invalid-header-name',
  severity: 'error',
  summary: 'The name of a header field is invalid or misspelled.',
  details: `Names of header fields consist of letters, digits and a few punctuation characters, but not spaces or colons (RFC 9110 §5.1). A response with an invalid name fails; in a request matcher, the name never matches. Browsers ignore a misspelled field, so the protection that it should provide is missing.`,
  bad: caddyfile(`:8080 {
	header "X Frame Options" DENY
	respond "hello"
}
`),
  good: caddyfile(`:8080 {
	header X-Frame-Options DENY
	respond "hello"
}
`),
  check(configuration, report) {
    for (const { name, path } of namesIn(configuration)) {
      if (name === '' || /[{*]/.test(name)) continue;
      if (!isToken(name)) {
        report(path, `is not a valid header field name: ${adviceFor(name)}`);
        continue;
      }
      const meant = misspelledField(name);
      if (meant !== null)
        report(path, `is probably a misspelled header field: write ${canonicalHeaderName(meant)}`, {
          severity: 'warning',
        });
    }
  },
});

function* namesIn(configuration: LintedConfiguration): Generator<{ readonly name: string; readonly path: ConfigPath }> {
  yield* fieldOperations(configuration);
  for (const id of ['http.matchers.header', 'http.matchers.header_regexp'])
    for (const { node, path } of configuration.modulesOf(id))
      for (const name of isObject(node) ? Object.keys(node) : []) yield { name, path: [...path, name] };
  for (const { node, path } of configuration.modulesOf('http.reverse_proxy.selection_policies.header')) {
    const name = isObject(node) ? own(node, 'field') : undefined;
    if (typeof name === 'string') yield { name, path: [...path, 'field'] };
  }
}

function adviceFor(name: string): string {
  const corrected = name.trim().replace(/\s*:$/, '').replaceAll(/\s+/g, '-');
  return isToken(corrected) ? `write ${canonicalHeaderName(corrected)}` : 'use letters, digits and hyphens';
}
