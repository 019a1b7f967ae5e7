/** Lint check SL014. */
import { caddyfile, defineLint } from '@sluice/registry';
import { marksOf, patternsIn } from './patterns.ts';

/** Minimum number of subpattern copies for which a pattern is reported. Nested repetition counts make the compiler copy subpatterns. */
const many = 500;

export const costlyPattern = defineLint({
  code: 'SL014',
  name: 'costly-pattern',
  severity: 'warning',
  summary: 'A regular expression is expensive to evaluate.',
  details: `RE2 expands \`x{n}\` into n copies of \`x\`, and nested counts multiply. The copies increase the cost of every request that reaches the matcher. Use \`+\` or \`*\` and limit the length elsewhere, or use smaller counts.`,
  bad: caddyfile(`:8080 {
	@token path_regexp ^/([a-z]{1,30}-){1,30}$
	respond @token "a token"
	respond "hello"
}
`),
  good: caddyfile(`:8080 {
	@token path_regexp ^/([a-z]{1,30}-)+$
	respond @token "a token"
	respond "hello"
}
`),
  check(configuration, report) {
    for (const { pattern, path } of patternsIn(configuration)) {
      const copies = copiesIn(marksOf(pattern));
      if (copies >= many)
        report(
          path,
          `compiles to about ${copies} steps, because nested counts multiply: use smaller counts, or use + or * instead`,
        );
    }
  },
});

/** Returns the largest number of copies that the compiler makes of any part of the pattern. */
function copiesIn(marks: string): number {
  const groups: number[] = [];
  let inner = 1;
  let maxRepeats = 1;
  for (let at = 0; at < marks.length; at++) {
    const mark = marks[at];
    if (mark === '(') {
      groups.push(inner);
      inner = 1;
    } else if (mark === ')') {
      const [counted, length] = countAt(marks, at + 1);
      inner = Math.max(groups.pop() ?? 1, inner * counted);
      at += length;
    } else if (mark === '{') {
      const [counted, length] = countAt(marks, at);
      inner = Math.max(inner, counted);
      at += Math.max(length - 1, 0);
    }
    maxRepeats = Math.max(maxRepeats, inner);
  }
  return maxRepeats;
}

/** Returns a repetition count and the length of its notation. The count defaults to 1. */
function countAt(marks: string, at: number): readonly [number, number] {
  const [text = '', least = '1', , upper] = /^\{(\d+)(,(\d*))?\}/.exec(marks.slice(at)) ?? [];
  return [Number(upper || least), text.length];
}
