import { decodeBytes, encodeBytes, fromLatin1, toLatin1 } from '@sluice/base';
import { isUtf8 } from 'node:buffer';
import { expect } from 'chai';
import fc from 'fast-check';

/** Decodes one character or byte at a time, as a reference for the tested code. */
function decodedSlowly(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find((each) => at + each <= bytes.length && isUtf8(bytes.subarray(at, at + each)));
    text +=
      length === undefined
        ? String.fromCharCode(0xdc00 + (bytes[at] as number))
        : bytes.toString('utf8', at, at + length);
    at += length ?? 1;
  }
  return text;
}

describe('decodeBytes and encodeBytes', () => {
  const cases: [string, number[], string][] = [
    ['ASCII', [0x61, 0x62], 'ab'],
    ['sequences of two to four bytes', [0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80], 'é€😀'],
    ['an invalid single byte', [0x61, 0xe9, 0x62], 'a\udce9b'],
    ['an overlong encoding', [0xc0, 0xaf], '\udcc0\udcaf'],
    ['a three-byte overlong encoding', [0xe0, 0x80, 0xaf], '\udce0\udc80\udcaf'],
    ['an encoded surrogate', [0xed, 0xb2, 0x80], '\udced\udcb2\udc80'],
    ['a code point above U+10FFFF', [0xf4, 0x90, 0x80, 0x80], '\udcf4\udc90\udc80\udc80'],
    ['a truncated sequence', [0xe2, 0x82, 0x41], '\udce2\udc82A'],
    ['a truncated sequence at the end', [0xf0, 0x9f, 0x98], '\udcf0\udc9f\udc98'],
  ];
  for (const [name, bytes, text] of cases) {
    it(`decodeBytes preserves ${name}`, () => {
      expect(decodeBytes(Uint8Array.from(bytes))).to.equal(text);
      expect([...encodeBytes(text)]).to.deep.equal(bytes);
    });
  }

  it('decodeBytes recognizes exactly the UTF-8 sequences that Unicode defines', () => {
    const seconds = [0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];
    const rests = [[], [0x80], [0xbf, 0x80], [0x80, 0xbf, 0x41], [0xc0, 0x80], [0x80, 0x7f]];
    const wrong: string[] = [];
    for (let lead = 0xbf; lead < 256; lead++) {
      for (const second of seconds) {
        for (const rest of rests) {
          const bytes = Buffer.from([lead, second, ...rest]);
          const text = decodeBytes(bytes);
          if (text !== decodedSlowly(bytes) || !encodeBytes(text).equals(bytes)) wrong.push(bytes.toString('hex'));
        }
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it('encodeBytes writes lone surrogates that do not represent a byte as U+FFFD', () => {
    expect(encodeBytes('a\ud800b\udc00').toString()).to.equal('a\ufffdb\ufffd');
  });

  it('decodeBytes and encodeBytes preserve all bytes', () => {
    const byte = fc.oneof(
      fc.constantFrom(0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xed, 0xf0, 0x9f, 0x98, 0x80, 0xff),
      fc.nat(255),
    );
    fc.assert(
      fc.property(fc.array(byte), (list) => {
        const bytes = Buffer.from(list);
        expect([...encodeBytes(decodeBytes(bytes))]).to.deep.equal(list);
        const latin1 = bytes.toString('latin1');
        expect(fromLatin1(latin1)).to.equal(decodeBytes(bytes));
        expect(toLatin1(fromLatin1(latin1))).to.equal(latin1);
      }),
      { numRuns: 500 },
    );
  });

  it('decodeBytes agrees with Node on valid UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = Buffer.from(text);
        expect(decodeBytes(bytes)).to.equal(bytes.toString());
        expect(encodeBytes(text).equals(bytes)).to.equal(true);
      }),
    );
  });
});
