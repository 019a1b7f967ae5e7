import { expect } from 'chai';
import type { Exchange } from '@sluice/http-app';
import { compileExpression } from '../../src/expression/compile.ts';

/** Returns an expression that doubles a value the given number of times. */
const doubled = (value: string, times: number, sum = 'y + y'): string =>
  times === 0 ? value : doubled(`[${value}].map(y, ${sum})[0]`, times - 1, sum);
const bound = (times: number): string => (times === 0 ? 'x.size() > 3' : `cel.bind(x, x + x, ${bound(times - 1)})`);
const letters = doubled('"aaaaaaaaaaaaaaaa"', 18);
const hundred = `[${Array.from({ length: 100 }, (_, i) => i).join(',')}]`;
const evaluate = (source: string): unknown => compileExpression(source, '').match({} as Exchange);

const bombs: Readonly<Record<string, string>> = {
  'nested loops': `${hundred}.all(a, ${hundred}.all(b, ${hundred}.all(c, ${hundred}.all(d, a + b + c + d >= 0))))`,
  'nested loops behind ||': `true && (${hundred}.all(a, ${hundred}.all(b, ${hundred}.all(c, c > 0 || b > 0 || a >= 0))) || true)`,
  'a repeatedly doubled list': `${doubled('[1,2,3,4]', 24)}.size() > 3`,
  'a repeatedly doubled string': `${doubled('"aaaaaaaaaaaaaaaa"', 24)}.contains("b")`,
  'repeatedly doubled bytes': `${doubled('b"aaaaaaaaaaaaaaaa"', 24)}.size() > 3`,
  'a repeatedly doubled bound variable': `cel.bind(x, [1], ${bound(24)})`,
  'formatting of nested lists with shared elements': `"%s".format([${doubled('[1]', 22, '[y, y]')}]).size() > 3`,
  'a comparison of nested lists with shared elements': `${doubled('[1]', 22, '[y, y]')} == ${doubled('[1]', 22, '[y, y]')}`,
  'a long replacement for every character': `${letters}.replace("a", "${'b'.repeat(200)}").size() > 3`,
  'a long string split into characters': `${letters}.split("").size() > 3`,
  'distinct() on a long list': 'lists.range(100000).distinct().size() > 3',
  'a search of a long list in a loop': 'lists.range(3000).all(x, x in lists.range(100000))',
};

describe('http.matchers.expression: cost limit', function () {
  this.timeout(10_000);
  for (const [name, source] of Object.entries(bombs))
    it(`an expression with ${name} has a limited evaluation cost`, () => {
      const { user: began } = process.cpuUsage();
      expect(() => evaluate(source)).to.throw(/steps|elements|characters/);
      expect((process.cpuUsage().user - began) / 1e6, 'seconds').to.be.below(3);
    });

  it('an expression with ordinary loops does not reach the cost limit', () => {
    expect(evaluate(`${hundred}.all(a, ${hundred}.all(b, a + b >= 0))`)).to.equal(true);
    expect(evaluate('lists.range(1000).map(x, x * 2).filter(x, x > 100).size() == 949')).to.equal(true);
    expect(evaluate(`["${'a'.repeat(1000)}"].exists(x, x.replace("a", "bb").size() == 2000)`)).to.equal(true);
    expect(evaluate('["b", "a", "b"].distinct().sort().join(",") == "a,b"')).to.equal(true);
  });

  it('an expression has a separate cost limit per request', () => {
    const matcher = compileExpression(`${hundred}.all(a, ${hundred}.all(b, a + b >= 0))`, '');
    for (let i = 0; i < 60; i++) expect(matcher.match({} as Exchange)).to.equal(true);
  });
});
