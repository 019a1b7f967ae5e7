/** SL050. */
import { isObject, own, type ConfigPath, type Json } from '@sluice/base';
import { caddyfile, defineLint, type LintedConfiguration } from '@sluice/registry';
import type { Verdict } from './truth.ts';

export const constantExpression = defineLint({
  code: 'SL050',
  name: 'constant-expression',
  severity: 'warning',
  summary: 'An expression has the same value for every request.',
  details: `A value cannot equal two different texts at once, so \`{method} == "GET" && {method} == "POST"\` is always false. It always differs from
one of two texts, so \`{method} != "GET" || {method} != "HEAD"\` is always true: write \`&&\`. Methods are upper case, so a comparison with \`"post"\`
is false, too. Correct the expression, or remove the matcher.`,
  bad: caddyfile(`:8080 {
	@write \`{method} != "GET" || {method} != "HEAD"\`
	respond @write "read-only" 405
	respond "hello"
}
`),
  good: caddyfile(`:8080 {
	@write \`{method} != "GET" && {method} != "HEAD"\`
	respond @write "read-only" 405
	respond "hello"
}
`),
  async check(configuration, report) {
    const wanted = [...expressionsIn(configuration)];
    if (wanted.length === 0) return;
    const { parseExpression } = await import('../expression/compile.ts');
    const { verdictOf } = await import('./truth.ts');
    const known = new Map<string, Verdict>();
    for (const { text, path } of wanted) {
      let verdict = known.get(text);
      if (verdict === undefined) known.set(text, (verdict = verdictOf(text, parseExpression)));
      if (verdict.value === null) continue;
      const value = verdict.value ? 'true' : 'false';
      const problem = `is always ${value}, so the matcher ${verdict.value ? 'matches every request' : 'never matches'}`;
      report(path, `${problem}: ${verdict.advice}`);
    }
  },
});

/** Expressions that may be constant. The others, such as those that `handle_errors` makes, are not parsed. */
function* expressionsIn(
  configuration: LintedConfiguration,
): Generator<{ readonly text: string; readonly path: ConfigPath }> {
  for (const { node, path } of configuration.modulesOf('http.matchers.expression')) {
    const [text, at]: [Json | undefined, ConfigPath] = isObject(node)
      ? [own(node, 'expr'), [...path, 'expr']]
      : [node, path];
    if (typeof text === 'string' && mayBeConstant(text)) yield { text, path: at };
  }
}

function mayBeConstant(text: string): boolean {
  return /&&|\|\||\btrue\b|\bfalse\b|[?]|method\}/.test(text) || !/[{(]/.test(text);
}
