/** Lint check SL015. */
import { defineLint, nativeJson } from '@sluice/registry';
import { marksOf, patternsIn } from './patterns.ts';

const example = (pattern: string): object => ({
  apps: {
    http: {
      servers: {
        web: {
          listen: [':8080'],
          routes: [{ match: [{ path_regexp: { pattern } }], handle: [{ handler: 'static_response', body: 'hello' }] }],
        },
      },
    },
  },
});

/** Prefixes of constructs from other regular expression dialects. */
const constructs: readonly (readonly [RegExp, string])[] = [
  [/\(\?[=!]/, 'lookahead: match the string directly, or use a not matcher'],
  [/\(\?<[=!]/, 'lookbehind: match the string directly, or use a not matcher'],
  [/\(\?>/, 'atomic groups: remove ?>'],
  [/[*+?}]\+/, 'possessive quantifiers: remove the second +'],
];

export const unsupportedSyntax = defineLint({
  code: 'SL015',
  name: 'unsupported-syntax',
  severity: 'error',
  summary: 'A regular expression uses syntax that RE2 does not support.',
  details: `The regular expression engine, RE2, runs in linear time for any pattern, so it supports neither lookaround nor backreferences. A configuration that contains such a pattern fails to load. A \`not\` matcher can replace most negative lookaheads.`,
  bad: nativeJson(example('^/(?!admin).*$')),
  good: nativeJson(example('^/(?:admin|users)/.*$')),
  check(configuration, report) {
    for (const { pattern, path } of patternsIn(configuration)) {
      const marks = marksOf(pattern);
      for (const [construct, advice] of constructs)
        if (construct.test(marks)) report(path, `RE2 does not support ${advice}`);
      if (/(?<!\\)(?:\\\\)*\\[1-9]/.test(pattern))
        report(path, 'RE2 does not support backreferences: write the repeated string explicitly');
    }
  },
});
