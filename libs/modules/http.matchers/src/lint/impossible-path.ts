/** Lint check SL016. */
import { isArray } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { patternsIn } from './patterns.ts';

export const impossiblePath = defineLint({
  code: 'SL016',
  name: 'impossible-path',
  severity: 'warning',
  summary: 'A path pattern never matches.',
  details: `Paths begin with a slash, and do not contain the query or the host. \`api/*\` and \`^api/\` never match; write \`/api/*\` and \`^/api/\` instead. To match the query or the host, use the \`query\` and \`host\` matchers.`,
  bad: caddyfile(`:8080 {
	@api path api/*
	respond @api "the API"
	respond "hello"
}
`),
  good: caddyfile(`:8080 {
	@api path /api/*
	respond @api "the API"
	respond "hello"
}
`),
  check(configuration, report) {
    for (const { node, path } of configuration.modulesOf('http.matchers.path')) {
      for (const [index, pattern] of (isArray(node) ? node : []).entries()) {
        if (typeof pattern !== 'string' || pattern.startsWith('{')) continue;
        const at = [...path, String(index)];
        if (/^[\w.-]/.test(pattern))
          report(
            at,
            `never matches, because paths begin with a slash: write /${pattern.replace(/^https?:\/\/[^/]*\//, '')}`,
          );
        else if (/\?[\w-]+=/.test(pattern))
          report(at, 'contains a query, which is not part of the path: use the query matcher instead');
        else if (pattern.includes('#'))
          report(at, 'contains a fragment, which browsers do not send: remove the fragment');
      }
    }
    for (const { pattern, id, path } of patternsIn(configuration))
      if (id === 'http.matchers.path_regexp' && /^\^[\w-]/.test(pattern) && !pattern.includes('|'))
        report(path, `never matches, because paths begin with a slash: write ^/${pattern.slice(1)}`);
  },
});
