import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { expectMatches, refusal } from '../matching.ts';

describe('http.matchers.query', () => {
  const table: [parameters: Json, yes: string[], no: string[]][] = [
    [{ a: ['*'] }, ['/?a=1', '/?a=', '/?a'], ['/?b=1', '/', '/?A=1']],
    [{ a: [''] }, ['/?a=', '/?a'], ['/?a=1', '/']],
    [{ a: [null] }, ['/?a'], ['/?a=1']],
    [{ a: [] }, [], ['/?a=1', '/']],
    [{ a: null }, [], ['/?a=1', '/']],
    [{ a: ['v*', '*w'] }, ['/?a=v*', '/?a=*w'], ['/?a=v1', '/?a=1w']],
    [{ a: ['1'], b: ['2'] }, ['/?a=1&b=2'], ['/?a=1', '/?b=2']],
    [{ 'a b': ['c&d=é'] }, ['/?a%20b=c%26d%3D%C3%A9', '/?a+b=c%26d%3d%c3%a9'], ['/?a%2Bb=x']],
    [{ a: ['2'] }, ['/?a=1&a=2', '/?a=2&a=1'], ['/?a=1']],
    [{ a: ['V'] }, ['/?a=V'], ['/?a=v']],
    [{ a: ['1'] }, ['/?a=1&=&&'], ['/?%zz&a=1', '/?a=1%zz', '/?;a=1', '/?a=1;', '/?a=1&b;c']],
    [{ a: ['1=2?3'] }, ['/?a=1=2?3', '/?a=1%3D2%3F3'], []],
    [{ '': ['1'] }, ['/?=1'], ['/']],
    [{}, ['/', '/?', '/?&'], ['/?=', '/?a']],
  ];
  for (const [parameters, yes, no] of table)
    it(`the query matcher matches ${JSON.stringify(parameters)}`, () => expectMatches({ query: parameters }, yes, no));

  it('the query matcher expands placeholders in names and values', async () => {
    const asked = (path: string, k: string, v: string): object => ({ path, headers: { k, v } });
    await expectMatches(
      { query: { '{http.request.header.k}': ['{http.request.header.v}'] } },
      [asked('/?x=1', 'x', '1'), asked('/?x=1', 'x', '*')],
      [asked('/?x=1', 'x', '2'), asked('/?x=1', 'y', '1')],
    );
  });

  it('the query matcher uses the rewritten query of a request', async () => {
    await expectMatches({ query: { q: ['new'] } }, ['/?q=old'], [], {
      before: [{ handler: 'rewrite', uri: '?q=new' }],
    });
  });

  it('the query matcher rejects values that are not lists', async () => {
    expect(await refusal({ query: { a: '1' } })).to.include('query');
  });
});
