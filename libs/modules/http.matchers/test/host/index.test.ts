import { expect } from 'chai';
import fc from 'fast-check';
import { makeExchange } from '@sluice/testing';
import { hostMatcher } from '../../src/host/index.ts';
import { expectMatches, having, refusal, to } from '../matching.ts';

describe('http.matchers.host', () => {
  const table: [patterns: string[], yes: string[], no: string[]][] = [
    [
      ['a.test', 'b.test'],
      ['a.test', 'A.TEST', 'b.test:1234'],
      ['c.test', 'x.a.test', 'a.test.'],
    ],
    [['A.Test'], ['a.test'], ['b.test']],
    [['*.a.test'], ['x.a.test', 'X.A.TEST:99', '.a.test'], ['a.test', 'x.y.a.test']],
    [['a.*.test'], ['a.b.test', 'a.*.test'], ['a.test', 'a.b.c.test']],
    [['*'], ['localhost', '[::1]'], ['a.test', '127.0.0.1']],
    [['a*.test'], ['a*.test'], ['ab.test', 'a.test']],
    [['a.test:80'], [], ['a.test', 'a.test:80']],
    [['::1'], ['[::1]', '[::1]:80', '[::1'], ['[0:0:0:0:0:0:0:1]']],
    [['[::1]'], [], ['[::1]', '::1']],
    [
      ['bücher.test', '*.BÜCHER.test'],
      ['xn--bcher-kva.test', 'XN--BCHER-KVA.TEST', 'a.xn--bcher-kva.test'],
      ['bucher.test'],
    ],
    [['a.test'], ['a.test:', 'a.test:x', 'a.test:99999'], ['a.test.:80']],
    [[''], [''], ['a.test']],
    [[], [], ['a.test', '']],
    [
      Array.from({ length: 150 }, (_, i) => `h${i}.test`).concat('*.wild.test'),
      ['h0.test', 'H149.test:1', 'a.wild.test'],
      ['h150.test', 'a.b.wild.test'],
    ],
  ];
  for (const [patterns, yes, no] of table) {
    it(`the host matcher matches ${JSON.stringify(patterns).slice(0, 60)}`, () =>
      expectMatches({ host: patterns }, yes.map(to), no.map(to)));
  }

  it('the host matcher expands placeholders, whose values may contain wildcards', async () => {
    const asked = (host: string, x: string): object => ({ host, headers: { x } });
    await expectMatches(
      { host: ['{http.request.header.x}'] },
      [asked('a.test', 'A.test'), asked('a.test', '*.test')],
      [asked('a.test', 'b.test'), to('a.test')],
    );
    await expectMatches(
      { host: ['{http.request.header.x}.test', 'c.test'] },
      [asked('a.test', 'a'), to('c.test')],
      [having({ x: 'a' })],
    );
  });

  it('the host matcher treats null in the list as the empty string', () =>
    expectMatches({ host: [null] }, [to('')], [to('a.test')]));

  it('the host matcher rejects duplicate hosts in any notation', async () => {
    expect(await refusal({ host: ['a.test', 'b.test', 'A.test'] })).to.match(
      /host\[2\]: "A.test" is the same host as entry 0/,
    );
    expect(await refusal({ host: ['bücher.test', 'xn--bcher-kva.test'] })).to.include('the same host');
  });

  it('the host matcher rejects a value that is not a list of host names', async () => {
    expect(await refusal({ host: ['xn--bücher.test'] })).to.match(/host\[0\]: .* is not a valid host name/);
    expect(await refusal({ host: 'a.test' })).to.include('must be array');
    expect(await refusal({ host: [1] })).to.include('host[0]');
  });

  const label = fc.constantFrom('a', 'b', 'c', '*');
  const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));

  it('the host matcher returns the same results as a label-by-label comparison', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 5 }), name, (patterns, host) => {
        const naive = patterns.some((pattern) => {
          const [wanted, found] = [pattern.split('.'), host.split('.')];
          return wanted.length === found.length && wanted.every((part, i) => part === '*' || part === found[i]);
        });
        expect(hostMatcher(patterns).match(makeExchange({ host }))).to.equal(naive);
      }),
      { numRuns: 1000 },
    );
  });
});
