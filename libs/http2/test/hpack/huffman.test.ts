import { expect } from 'chai';
import fc from 'fast-check';
import { decodeHuffman } from '../../src/hpack/huffman.ts';
import { codes, encodeHuffman } from './huffman-code.ts';

function decode(coded: Buffer): Buffer | null {
  const around = Buffer.concat([Buffer.from('\xff0', 'latin1'), coded, Buffer.from('\xff', 'latin1')]);
  const text = decodeHuffman(around, 2, 2 + coded.length);
  return text === null ? null : Buffer.from(text, 'latin1');
}

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const endOfString = codes[256] as string;

describe('HPACK Huffman code', () => {
  it('decodeHuffman decodes every byte after any other byte (RFC 7541 appendix B)', () => {
    for (let byte = 0; byte < 256; byte++)
      for (const before of ['', '0', 'X', '\\']) {
        const whole = Buffer.concat([Buffer.from(before), bytes(byte)]);
        expect(decode(encodeHuffman(whole)), `${byte} after ${before}`).to.deep.equal(whole);
      }
  });

  it('decodeHuffman is the inverse of the encoder for any string', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (values) => {
        const whole = Buffer.from(values);
        expect(decode(encodeHuffman(whole))).to.deep.equal(whole);
      }),
    );
  });

  it('decodeHuffman returns an empty string for empty input', () => {
    expect(decode(bytes())).to.deep.equal(bytes());
  });

  it('decodeHuffman accepts only padding of up to seven one-bits (RFC 7541 §5.2)', () => {
    // Codes of 5, 6, 7 and 8 bits cover every possible length of padding.
    for (let count = 1; count <= 7; count++) {
      const whole = Buffer.from('0'.repeat(8)).subarray(0, [0, 3, 6, 1, 4, 7, 2, 5][count]);
      expect((5 * whole.length + count) % 8, 'bits without padding').to.equal(0);
      expect(decode(encodeHuffman(whole, '1'.repeat(count))), `${count} ones`).to.deep.equal(whole);
      expect(decode(encodeHuffman(whole, '1'.repeat(count + 8))), `${count + 8} ones`).to.equal(null);
      for (let zero = 0; zero < count; zero++) {
        // The padding contains a 0 bit. It may decode to another character, which leaves less padding. The result must never equal the
        // original string.
        const padding = `${'1'.repeat(zero)}0${'1'.repeat(count - zero - 1)}`;
        expect(decode(encodeHuffman(whole, padding)), padding).to.not.deep.equal(whole);
      }
    }
    expect(decode(encodeHuffman(bytes(), '1'.repeat(8)))).to.equal(null);
  });

  it('decodeHuffman rejects a string that ends within a code', () => {
    for (let byte = 0; byte < 256; byte++) {
      const code = codes[byte] as string;
      const cut = code.slice(0, code.length - (code.length % 8 || 8));
      if (cut.length < 8) continue;
      expect(decode(encodeHuffman(bytes(), cut)), `${byte}`).to.equal(null);
    }
  });

  it('decodeHuffman rejects an end-of-string symbol anywhere in a string', () => {
    for (const before of ['', '0', '00', 'ab', '\0']) {
      const bits = [...Buffer.from(before)].map((byte) => codes[byte]).join('') + endOfString;
      for (const after of [codes[0x30] as string, '']) {
        const all = bits + after;
        const padded = all + '1'.repeat((8 - (all.length % 8)) % 8);
        expect(decode(encodeHuffman(bytes(), padded)), JSON.stringify(before)).to.equal(null);
      }
    }
  });

  it('decodeHuffman decodes strings of up to 64 KiB and rejects encoded strings that might be longer', () => {
    const longest = Buffer.alloc(64 * 1024, '0');
    expect(decode(encodeHuffman(longest))).to.deep.equal(longest);
    expect(decode(encodeHuffman(Buffer.alloc(64 * 1024 + 8, '0')))).to.equal(null);
  });
});
