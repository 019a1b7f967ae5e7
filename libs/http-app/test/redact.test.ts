import { expect } from 'chai';
import { redactQuery } from '../src/redact.ts';

describe('redacted queries in explanations', () => {
  const cases: readonly (readonly [text: string, shown: string])[] = [
    ['token=x&page=2', 'token=REDACTED&page=2'],
    ['/a?token=x', '/a?token=REDACTED'],
    ['http://a.example/b?page=2&api_key=x#part=1', 'http://a.example/b?page=2&api_key=REDACTED#part=1'],
    ['/a?%74oken=x&pass%77ord=y', '/a?%74oken=REDACTED&pass%77ord=REDACTED'],
    ['/a?code=1&state=2&token', '/a?code=1&state=2&token'],
    ['/a', '/a'],
    ['', ''],
  ];
  for (const [text, shown] of cases)
    it(`an explanation shows the query as ${shown || 'nothing'}`, () => {
      expect(redactQuery(text)).to.equal(shown);
    });
});
