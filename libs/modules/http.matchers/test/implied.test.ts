import { expect } from 'chai';
import { rangeDomain } from '../src/common/range-domain.ts';
import { impliedByExpression } from '../src/expression/implied.ts';
import { impliedByPattern } from '../src/path_regexp/implied.ts';

describe('implied conditions and domains of matchers', () => {
  for (const [text, implied] of [
    [`path('/a/*')`, { path: ['/a/*'] }],
    [`path('/a', "/b") && {http.request.method} == 'GET' && file()`, { path: ['/a', '/b'], method: ['GET'] }],
    [`host("a.example.com")`, { host: ['a.example.com'] }],
    [`path('/a') || host('b')`, null],
    [`!path('/a')`, null],
    [`!(file() && path('/a') && file())`, null],
    [`header({'X-A': 'b && path("/a") && c'})`, null],
    [`[file() && path('/a') && file()] == []`, null],
    [`file() && path('/a') ? false : true`, null],
    [`'it''s && ' == "x"`, null],
  ] as const)
    it(`impliedByExpression returns the conditions of ${text}`, () =>
      expect(impliedByExpression(text)).to.deep.equal(implied));

  for (const [pattern, implied] of [
    ['^/api/v1/', { path: ['/api/v1/*'] }],
    [String.raw`^/posts/(\d+)$`, { path: ['/posts/*'] }],
    [String.raw`^/a\.b`, { path: ['/a.b*'] }],
    ['^/ab*c', { path: ['/a*'] }],
    ['^/ab?', { path: ['/a*'] }],
    ['^/a{2}', null],
    ['^/a|^/b', null],
    ['/api/', null],
    ['(?i)^/api/', null],
  ] as const)
    it(`impliedByPattern returns the path pattern of ${pattern}`, () =>
      expect(impliedByPattern({ pattern })).to.deep.equal(implied));
});

describe('rangeDomain', () => {
  const domain = (...ranges: string[]): NonNullable<ReturnType<typeof rangeDomain>> =>
    rangeDomain({ ranges }) ?? expect.fail('has no domain');

  it('the domain that rangeDomain returns excludes disjoint ranges and covers nested ranges', () => {
    expect(domain('10.0.0.0/8').excludes(domain('192.168.0.0/16', '::1'))).to.equal(true);
    expect(domain('10.0.0.0/8', '192.168.1.1').excludes(domain('192.168.0.0/16'))).to.equal(false);
    expect(domain('10.0.0.0/8').covers(domain('10.1.0.0/16', '10.2.3.4'))).to.equal(true);
    expect(domain('10.0.0.0/16').covers(domain('10.0.0.0/8'))).to.equal(false);
    expect(domain('0.0.0.0/0').covers(domain('::1'))).to.equal(false);
  });

  it('rangeDomain returns null for a placeholder, a zone, or an invalid range', () => {
    for (const range of ['{env.RANGE}', 'fe80::1%eth0', '10.0.0.0/99'])
      expect(rangeDomain({ ranges: ['10.0.0.0/8', range] })).to.equal(null);
  });
});
