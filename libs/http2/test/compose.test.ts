import { expect } from 'chai';
import fc from 'fast-check';
import { splitBlock, takePieces } from '../src/compose.ts';
import { Output } from '../src/output.ts';
import { Http2Stream } from '../src/stream.ts';

function streamOf(pieces: readonly Buffer[]): Http2Stream {
  const stream = new Http2Stream({ ready() {}, credit() {}, reset() {}, stop() {} }, 1, 0, 0);
  for (const piece of pieces) stream.write(piece);
  return stream;
}

describe('pieces of HTTP/2 bodies', () => {
  it('takePieces moves pieces of any size in order, and does not retain them', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(sizes, sizes, (pieces, lengths) => {
        let next = 0;
        const stream = streamOf(pieces.map((size) => Buffer.from(Array.from({ length: size }, () => next++ & 255))));
        const output = new Output(1000);
        let left = next;
        for (const wanted of lengths) {
          const length = Math.min(wanted, left);
          if (length === 0) break;
          takePieces(output, stream, length);
          left -= length;
          expect(stream.queued).to.equal(left);
          const held = stream.pieces.reduce((sum, piece) => sum + piece.length, 0) - stream.offset;
          expect(held, 'what is left').to.equal(left);
        }
        expect([...output.bytes.subarray(0, output.end)]).to.deep.equal(
          Array.from({ length: next - left }, (_, i) => i & 255),
        );
      }),
    );
  });
});

describe('HTTP/2 field blocks that exceed a frame', () => {
  for (const [size, sizes] of [
    [16_384, [16_384]],
    [16_385, [16_384, 1]],
    [32_768, [16_384, 16_384]],
    [32_769, [16_384, 16_384, 1]],
  ] as const)
    it(`splitBlock produces ${sizes.length} frames of ${size} bytes, the last with END_HEADERS`, () => {
      const output = new Output(64);
      const block = Buffer.from(Array.from({ length: size }, (_, i) => (i * 7) & 255));
      output.latin1('abc');
      output.reserve(9 + size);
      output.end += 9;
      output.copy(block, 0, size);
      splitBlock(output, 3, 1, 5);
      const heads: string[] = [];
      const pieces: Buffer[] = [];
      const all = output.bytes.subarray(0, output.end);
      for (let at = 3; at < all.length;) {
        const length = all.readUIntBE(at, 3);
        heads.push(`${length} ${all[at + 3]} ${all[at + 4]} ${all.readUInt32BE(at + 5)}`);
        pieces.push(all.subarray(at + 9, at + 9 + length));
        at += 9 + length;
      }
      const last = sizes.length - 1;
      const kind = (i: number): string => `${i === 0 ? 1 : 9} ${(i === 0 ? 1 : 0) + (i === last ? 4 : 0)}`;
      expect(heads).to.deep.equal(sizes.map((length, i) => `${length} ${kind(i)} 5`));
      expect(Buffer.concat(pieces).equals(block)).to.equal(true);
      expect(all.toString('latin1', 0, 3)).to.equal('abc');
    });
});
