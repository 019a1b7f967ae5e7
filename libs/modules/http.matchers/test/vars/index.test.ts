import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { expectResponses, expectMatches, refusal } from '../matching.ts';

const before = [{ handler: 'vars', n: 5, b: true, f: 1.5, z: null, x: 'a-b', l: [1, 'x'], o: { a: 1 }, method: 'GET' }];

describe('http.matchers.vars', () => {
  const table: [vars: Json, matches: boolean][] = [
    [{ x: ['no', 'a-b'] }, true],
    [{ x: ['a*', '*'] }, false],
    [{ n: ['5'] }, true],
    [{ b: ['true'] }, true],
    [{ f: ['1.5'] }, true],
    [{ z: [''] }, true],
    [{ l: ['[1 x]'] }, true],
    [{ o: ['map[a:1]'] }, true],
    [{ none: [''] }, true],
    [{ none: [null] }, true],
    [{ none: ['x'] }, false],
    [{ x: [] }, false],
    [{ x: null }, false],
    [{ x: ['no'], n: ['5'] }, true],
    [{ x: ['no'], n: ['no'] }, false],
    [{ '{http.request.method}': ['GET'] }, true],
    [{ '{http.vars.n}': ['5'] }, true],
    [{ '{nope}': [''] }, true],
    [{ 'http.request.method': ['GET'] }, false],
    [{ 'x{http.request.method}': ['a-b'] }, false],
    [{ method: ['{http.request.method}'] }, true],
    [{ client_ip: ['127.0.0.1'] }, true],
    [{}, true],
  ];
  for (const [vars, matches] of table) {
    it(`the vars matcher ${matches ? 'matches' : 'does not match'} ${JSON.stringify(vars)}`, () =>
      expectMatches({ vars }, matches ? ['/'] : [], matches ? [] : ['/'], { before }));
  }

  it('the vars matcher rejects values that are not lists', async () => {
    expect(await refusal({ vars: { x: '1' } })).to.include('vars');
  });
});

describe('http.matchers.vars_regexp', () => {
  it('the vars_regexp matcher matches variables and placeholders, and stores captures', async () => {
    await expectResponses({ vars_regexp: { x: { name: 'r', pattern: '^(.)-(.)$' } } }, [['/', 'a b']], {
      before,
      body: '{http.regexp.r.1} {http.regexp.r.2}',
    });
    const set = { vars_regexp: { '{http.request.uri}': { pattern: 'q=(\\d+)' } } };
    await expectResponses(
      set,
      [
        ['/?q=12', '12'],
        ['/?q=x', 'no'],
      ],
      { body: '{http.regexp.1}' },
    );
  });

  const table: [expressions: Json, matches: boolean][] = [
    [{ n: { pattern: '^5$' } }, true],
    [{ none: { pattern: '^$' } }, true],
    [{ x: { pattern: 'q' }, n: { pattern: '5' } }, true],
    [{ x: { pattern: 'q' }, n: { pattern: '6' } }, false],
    [{}, false],
  ];
  for (const [expressions, matches] of table) {
    it(`the vars_regexp matcher ${matches ? 'matches' : 'does not match'} ${JSON.stringify(expressions)}`, () =>
      expectMatches({ vars_regexp: expressions }, matches ? ['/'] : [], matches ? [] : ['/'], { before }));
  }

  it('vars_regexp rejects invalid patterns', async () => {
    expect(await refusal({ vars_regexp: { x: { pattern: '(' } } })).to.include('vars_regexp.x.pattern');
    expect(await refusal({ vars_regexp: { x: null } })).to.include('vars_regexp');
  });
});
