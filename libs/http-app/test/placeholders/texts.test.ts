import { expect } from 'chai';
import fc from 'fast-check';
import { compileText } from '@sluice/http-app';
import { makeExchange } from '@sluice/testing';

const exchange = makeExchange({
  method: 'POST',
  path: '/a%20b/c.tar.gz?q=1&q=2&%zz&empty=',
  host: '[::1]:8443',
  headers: { Cookie: 'a=1; broken; b="2"', 'X-Braces': '{http.request.method}', Accept: ['one', 'two'] },
});

/** Placeholder names with invalid parts. */
const known = fc.constantFrom(
  'http.request.method',
  'http.request.uri',
  'http.request.uri.path',
  'http.request.uri.path.',
  'http.request.uri.path.file.',
  'http.request.uri.query.',
  'http.request.orig_uri.path.',
  'http.request.header.',
  'http.request.cookie.',
  'http.request.host.labels.',
  'http.request.remote.host/',
  'http.request.remote.',
  'http.request.tls.',
  'http.request.tls.client.san.dns_names.',
  'http.response.header.',
  'http.vars.',
  'http.regexp.',
  'http.error.',
  'http.intercept.',
  'http.reverse_proxy.',
  'http.matchers.file.',
  'http.auth.user.',
  'env.',
  'time.now.',
  'system.',
);
const tail = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('', '0', '-1', '99999999999999999999', '1e9', 'x', 'path', '__proto__', 'constructor', '24', '999'),
);
const name = fc.tuple(known, tail).map(([head, rest]) => head + rest.replace(/[{}\\]/g, ''));

describe('placeholders in templates', () => {
  it('placeholders always return a string and never throw', () => {
    fc.assert(
      fc.property(name, fc.constantFrom('keep', 'empty'), (each, unknown) => {
        expect(compileText(`{${each}}`, unknown).expand(exchange)).to.be.a('string');
      }),
      { numRuns: 3000 },
    );
  });

  it('placeholders never throw, regardless of the text and the combination of braces', () => {
    const piece = fc.oneof(fc.constantFrom('{', '}', '\\', '{{', '}}', '\\{', '\\}', '.'), name, fc.string());
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('keep', 'empty'), (pieces, unknown) => {
        expect(compileText(pieces.join(''), unknown).expand(exchange)).to.be.a('string');
      }),
      { numRuns: 3000 },
    );
  });

  it('unknown placeholders are kept or removed, depending on the option', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^missing\.[a-z.]{0,12}$/), (each) => {
        expect(compileText(`<{${each}}>`, 'keep').expand(exchange)).to.equal(`<{${each}}>`);
        expect(compileText(`<{${each}}>`, 'empty').expand(exchange)).to.equal('<>');
      }),
    );
  });

  it('escaped placeholders are treated as literal text', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', 'a', '.', 'http.request.method') });
    fc.assert(
      fc.property(text, fc.constantFrom('keep', 'empty'), (plain, unknown) => {
        expect(compileText(plain.replace(/[{}]/g, '\\$&'), unknown).expand(exchange)).to.equal(plain);
      }),
      { numRuns: 1000 },
    );
  });

  const networks: readonly (readonly [bits: string, v4: string, v6: string])[] = [
    ['24', '127.0.0.0/24', '::/24'],
    ['24,64', '127.0.0.0/24', '::/64'],
    ['+24', '127.0.0.0/24', '::/24'],
    ['0', '0.0.0.0/0', '::/0'],
    ['32', '127.0.0.1/32', '::/32'],
    ['33', '', '::/33'],
    ['999', '', ''],
    ['24,999', '127.0.0.0/24', ''],
    ['999,24', '', '::/24'],
    ['24,', '127.0.0.0/24', ''],
    ['', '', ''],
    ['x', '', ''],
    ['-1', '', ''],
    [' 24', '', ''],
  ];
  for (const [bits, v4, v6] of networks) {
    it(`the placeholder of a masked address is empty for the invalid prefix length /${bits}`, () => {
      const network = (remoteAddress: string): string =>
        compileText(`[{http.request.remote.host/${bits}}]`, 'keep').expand(
          makeExchange({ connection: { remoteAddress } }),
        );
      expect([network('127.0.0.1'), network('::1')]).to.deep.equal([`[${v4}]`, `[${v6}]`]);
    });
  }

  it('placeholders are expanded once, and their values are not expanded again', () => {
    expect(compileText('{http.request.header.X-Braces}', 'keep').expand(exchange)).to.equal('{http.request.method}');
  });
});
