import { expect } from 'chai';
import { BufferedBody } from '@sluice/http-app';
import type { Json } from '@sluice/base';
import { makeExchange, type TestRequest } from '@sluice/testing';
import { headerMatcher } from '../../src/header/index.ts';
import { expectMatches, having, refusal, to } from '../matching.ts';

const x = (...values: string[]): TestRequest => having({ 'X-A': values });

describe('http.matchers.header', () => {
  const table: [fields: Json, yes: TestRequest[], no: TestRequest[]][] = [
    [{ 'x-A': ['v'] }, [x('v')], [x('V'), x('one, v'), {}]],
    [{ 'X-A': ['v*'] }, [x('v'), x('vw')], [x('V'), x('xv')]],
    [{ 'X-A': ['*v'] }, [x('v'), x('wv')], [x('vx')]],
    [{ 'X-A': ['*v*'] }, [x('v'), x('avb')], [x(''), x('x')]],
    [{ 'X-A': ['a*b'] }, [x('a*b')], [x('axb')]],
    [{ 'X-A': ['*'] }, [x(''), x('y')], [{}]],
    [{ 'X-A': ['**'] }, [x(''), x('y')], [{}]],
    [{ 'X-A': ['one', 'two*'] }, [x('one'), x('twox'), x('three', 'one')], [x('three')]],
    [{ 'X-A': ['1'], 'X-B': ['2'] }, [having({ 'x-a': '1', 'x-b': '2' })], [x('1')]],
    [{ 'X-A': [] }, [x('')], [{}]],
    [{ 'X-A': null }, [{}], [x('')]],
    [{ 'X-A': ['', null] }, [x('')], [x('y'), {}]],
    [{}, [{}], []],
    [{ 'X-A': ['{http.request.method}*'] }, [x('GETx')], [x('POST')]],
    [{ 'X-A': ['{http.vars.none}'] }, [x('')], [x('y'), {}]],
    [{ 'X-A': ['{http.request.header.y}'] }, [having({ 'x-a': 'abc', y: 'a*' })], [having({ 'x-a': 'b', y: 'a*' })]],
    [{ 'X-{http.request.method}': ['v'] }, [], [having({ 'X-GET': 'v' })]],
    [{ Host: ['H.test', 'i.test:*'] }, [to('H.test'), to('i.test:80')], [to('h.test'), to('H.test:80'), to('')]],
    [{ Host: null }, [to('')], [to('a')]],
    [{ Host: [] }, [to('a')], [to('')]],
  ];
  for (const [fields, yes, no] of table)
    it(`the header matcher matches ${JSON.stringify(fields)}`, () => expectMatches({ header: fields }, yes, no));

  it('the header matcher also matches fields that handlers have set', async () => {
    const before = [{ handler: 'headers', request: { set: { 'X-A': ['set'] } } }];
    await expectMatches({ header: { 'X-A': ['set'] } }, [{}, x('other')], [], { before });
  });

  it('the header matcher derives Transfer-Encoding from the body', () => {
    const matcher = headerMatcher([['Transfer-Encoding', ['chunked']]]);
    const streamed = makeExchange({ method: 'POST' });
    streamed.body = new (class extends BufferedBody {
      override readonly length = -1;
    })(Buffer.from('abc'));
    expect(matcher.match(streamed)).to.equal(true);
    expect(headerMatcher([['transfer-encoding', null]]).match(streamed)).to.equal(false);
    expect(matcher.match(makeExchange({ method: 'POST', body: 'abc' }))).to.equal(false);
    const second = makeExchange({ method: 'POST', proto: 'HTTP/2.0' });
    second.body = streamed.body;
    expect(matcher.match(second)).to.equal(false);
  });

  it('the header matcher rejects values that are not lists', async () => {
    expect(await refusal({ header: { 'X-A': 'v' } })).to.include('X-A');
    expect(await refusal({ header: { 'X-A': [1] } })).to.include('X-A');
  });
});
