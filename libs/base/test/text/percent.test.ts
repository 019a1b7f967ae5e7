import {
  encodeBytes,
  escapePath,
  escapePathSegment,
  escapeQuery,
  escapedPathOf,
  unescapePath,
  unescapePathOrNull,
  unescapeQueryOrNull,
} from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';

describe('percent-encoding functions', () => {
  const decoded: [string, string][] = [
    ['/a/b', '/a/b'],
    ['/a%20b%2Fc', '/a b/c'],
    ['%25%32%35', '%25'],
    ['a+b', 'a+b'],
    ['%C3%A9%c3%a9', 'éé'],
    ['%F0%9F%98%80é', '😀é'],
    ['%00', '\0'],
    ['%7F', '\x7f'],
    ['%80', '\udc80'],
    ['%E9', '\udce9'],
    ['%E9%00%41', '\udce9\0A'],
    ['%C3(', '\udcc3('],
    ['\udcc3%A9', 'é'],
  ];
  for (const [text, path] of decoded) {
    it(`unescapePath decodes ${JSON.stringify(text)}`, () => expect(unescapePath(text)).to.equal(path));
  }

  for (const text of ['%', '/%2', '/%zz', '%C3%A', '%C3%%', 'a%2', '%-1', '% 1', '%+1', '%0x']) {
    it(`unescapePath rejects ${JSON.stringify(text)}`, () => {
      expect(unescapePathOrNull(text)).to.equal(null);
      expect(() => unescapePath(text))
        .to.throw(/bad percent-escape ".*" *:/)
        .with.property('code', 'ERR_VALUE');
    });
  }

  it('query decoding converts plus signs to spaces, but path decoding does not', () => {
    expect(unescapeQueryOrNull('a+b%2B%zz')).to.equal(null);
    expect(unescapeQueryOrNull('a+b%2B')).to.equal('a b+');
  });

  const encoded: [string, string, string, string][] = [
    // Decoded text, and its encodings as a path, as a path segment, and as a query value.
    ['/a b', '/a%20b', '%2Fa%20b', '%2Fa+b'],
    ['$&+,/:;=@', '$&+,/:;=@', '$&+%2C%2F:%3B=@', '%24%26%2B%2C%2F%3A%3B%3D%40'],
    ["!'()*[]", '%21%27%28%29%2A%5B%5D', '%21%27%28%29%2A%5B%5D', '%21%27%28%29%2A%5B%5D'],
    [
      '?#%"<>\\^`{|}',
      '%3F%23%25%22%3C%3E%5C%5E%60%7B%7C%7D',
      '%3F%23%25%22%3C%3E%5C%5E%60%7B%7C%7D',
      '%3F%23%25%22%3C%3E%5C%5E%60%7B%7C%7D',
    ],
    ['-_.~', '-_.~', '-_.~', '-_.~'],
    ['é\udce9\0', '%C3%A9%E9%00', '%C3%A9%E9%00', '%C3%A9%E9%00'],
    ['*', '*', '%2A', '%2A'],
  ];
  for (const [text, path, segment, query] of encoded) {
    it(`the escape functions encode ${JSON.stringify(text)}`, () => {
      expect(escapePath(text)).to.equal(path);
      expect(escapePathSegment(text)).to.equal(segment);
      expect(escapeQuery(text)).to.equal(query);
    });
  }

  const kept: [string, string, string][] = [
    // Decoded path, original encoding, and resulting encoded path.
    ['/a/b', '/a%2fb', '/a%2fb'],
    ["/(it's)*[x]", "/(it's)*[x]", "/(it's)*[x]"],
    ['/a"/b', '/a"%2Fb', '/a%22/b'],
    ['/changed', '/a%2fb', '/changed'],
    ['/é', '/é', '/%C3%A9'],
    ['/%', '/%', '/%25'],
  ];
  for (const [path, raw, text] of kept) {
    it(`escapedPathOf encodes ${path} if the original escaped path is ${raw}`, () =>
      expect(escapedPathOf(path, raw)).to.equal(text));
  }

  it('percent-decoding is the inverse of percent-encoding', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        fc.constantFrom('\udc80', '\udcff', '%', '+', ' '),
      ),
    });
    fc.assert(
      fc.property(text, (text) => {
        const bytes = encodeBytes(text);
        expect(encodeBytes(unescapePath(escapePath(text))).equals(bytes)).to.equal(true);
        expect(encodeBytes(unescapePath(escapePathSegment(text))).equals(bytes)).to.equal(true);
        expect(encodeBytes(unescapeQueryOrNull(escapeQuery(text))!).equals(bytes)).to.equal(true);
      }),
    );
  });

  it('unescapePath agrees with decodeURIComponent whenever decodeURIComponent succeeds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '%', '2', 'F', '%20', '%C3%A9', '%C3', '%A9', 'é', '%f0%9f%98%80') }),
        (text) => {
          let expected: string | null = null;
          try {
            expected = decodeURIComponent(text);
          } catch {
            return;
          }
          expect(unescapePathOrNull(text)).to.equal(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});
