import { expect } from 'chai';
import { Output } from '../src/output.ts';
import { integer } from './hpack/blocks.ts';

const written = (output: Output): string => output.bytes.toString('hex', 0, output.end);

describe('HTTP/2 output buffer', () => {
  it('Output writes frame headers (RFC 9113 §4.1)', () => {
    const output = new Output(64);
    output.frame(0x01_02_03, 0x04, 0x05, 0x16_17_18_19);
    expect(written(output)).to.equal('010203040516171819');
    output.frameAt(0, 0x3f_ff, 0x09_04, 0x7f_ff_ff_ff);
    expect(written(output)).to.equal('003fff09047fffffff');
  });

  it('Output writes 16-bit and 32-bit integers', () => {
    const output = new Output(64);
    output.uint16(0xfe_dc);
    output.uint32(0xfe_dc_ba_98);
    expect(written(output)).to.equal('fedcfedcba98');
  });

  it('Output writes the integers in RFC 7541 C.1, and all other integers as defined in §5.1', () => {
    const write = (pattern: number, mask: number, value: number): string => {
      const output = new Output(64);
      output.integer(pattern, mask, value);
      return written(output);
    };
    expect([write(0xa0, 0x1f, 10), write(0xe0, 0x1f, 1337), write(0, 0xff, 42)]).to.deep.equal(['aa', 'ff9a0a', '2a']);
    for (const [pattern, mask] of [
      [0x80, 0x7f],
      [0x40, 0x3f],
      [0x20, 0x1f],
      [0x10, 0x0f],
      [0, 0x0f],
    ] as const)
      for (const more of [-mask, -1, 0, 1, 127, 128, 129, 16_383, 16_384, 2_097_152, 2 ** 31 - 200])
        expect(write(pattern, mask, mask + more), `${mask} ${more}`).to.equal(
          integer(pattern, mask, mask + more).toString('hex'),
        );
  });

  it('Output copies short and long ranges, and Latin-1 strings', () => {
    for (const length of [0, 1, 31, 32, 33, 500]) {
      const source = Buffer.from(Array.from({ length: length + 9 }, (_, i) => i & 255));
      const output = new Output(1000);
      output.latin1('ä!');
      output.copy(source, 4, 4 + length);
      output.latin1('?');
      expect(written(output)).to.equal(`e421${source.toString('hex', 4, 4 + length)}3f`);
    }
  });

  it('Output doubles its size, or grows to the requested size if that is larger', () => {
    const output = new Output(10);
    output.latin1('12345');
    const { bytes } = output;
    output.reserve(5);
    expect(output.bytes).to.equal(bytes);
    output.reserve(6);
    expect([output.bytes.length, written(output)]).to.deep.equal([20, '3132333435']);
    output.reserve(100);
    expect([output.bytes.length, written(output)]).to.deep.equal([105, '3132333435']);
  });

  it('Output switches to a new buffer if the old buffer is retained, and shrinks back after growth', () => {
    const output = new Output(10);
    const { bytes } = output;
    output.latin1('12345');
    output.clear(false);
    expect([output.end, output.bytes === bytes]).to.deep.equal([0, true]);
    output.clear(true);
    expect([output.bytes === bytes, output.bytes.length]).to.deep.equal([false, 10]);
    output.reserve(11);
    output.clear(false);
    expect(output.bytes.length).to.equal(10);
  });
});
