/** Lint check SL047. */
import { caddyfile, defineLint } from '@sluice/registry';
import { closedValues } from '../fields/closed-values.ts';
import { directiveValues } from '../fields/directive-values.ts';
import { fieldOperations } from '../fields/header-operations.ts';

export const invalidHeaderValue = defineLint({
  code: 'SL047',
  name: 'invalid-header-value',
  severity: 'warning',
  summary: 'The value of a response header field is invalid or contradictory, so clients ignore it.',
  details: `Browsers silently ignore a value that they do not understand, so the intended protection or caching is missing. The check covers fields with a fixed set of values (\`X-Content-Type-Options\`, \`X-Frame-Options\`, \`Referrer-Policy\`, the \`Cross-Origin\` policies), with directives (\`Cache-Control\`, \`Content-Security-Policy\`, \`Strict-Transport-Security\`, \`Set-Cookie\`), and with a single origin (\`Access-Control-Allow-Origin\`). The check skips values with placeholders.`,
  bad: caddyfile(`:8080 {
	header X-Content-Type-Options no-sniff
	respond "hello"
}
`),
  good: caddyfile(`:8080 {
	header X-Content-Type-Options nosniff
	respond "hello"
}
`),
  check(configuration, report) {
    for (const { of, name, values, path } of fieldOperations(configuration)) {
      if (of !== 'response') continue;
      const key = name.toLowerCase();
      const rule = closedValues.get(key) ?? directiveValues.get(key);
      if (rule === undefined) continue;
      for (const [index, value] of values.entries()) {
        const problem = value === '' || value.includes('{') ? null : rule(value);
        if (problem !== null) report([...path, String(index)], `clients ignore this value of ${name}: ${problem}`);
      }
    }
  },
});
