/** SL015. */
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

/** What other dialects have, by how it begins. */
const constructs: readonly (readonly [RegExp, string])[] = [
  [/\(\?[=!]/, 'a look ahead: match what is wanted, or put the rest into a matcher not'],
  [/\(\?<[=!]/, 'a look behind: match what is wanted, or put the rest into a matcher not'],
  [/\(\?>/, 'an atomic group: leave the ?> out'],
  [/[*+?}]\+/, 'a possessive repetition: leave the second + out'],
];

export const unknownSyntax = defineLint({
  code: 'SL015',
  name: 'unknown-syntax',
  severity: 'error',
  summary: 'A regular expression uses syntax that RE2, the dialect of the server, does not support.',
  details: `RE2 takes time in proportion to the text whatever the pattern, and has neither look around nor references back for that reason. A
configuration with such a pattern is not loaded. A matcher \`not\` says most of what a negative look ahead does.`,
  bad: nativeJson(example('^/(?!admin).*$')),
  good: nativeJson(example('^/(?:admin|users)/.*$')),
  check(configuration, report) {
    for (const { pattern, path } of patternsIn(configuration)) {
      const marks = marksOf(pattern);
      for (const [construct, advice] of constructs)
        if (construct.test(marks)) report(path, `RE2 does not have ${advice}`);
      if (/(?<!\\)(?:\\\\)*\\[1-9]/.test(pattern))
        report(path, 'RE2 does not have references back: write the text again');
    }
  },
});
