import { expect } from 'chai';
import fc from 'fast-check';
import { FrameBoundaries } from '../../src/reverse_proxy/websocket-frames.ts';

/** Returns a WebSocket frame with a payload of the given length. */
function frameOf(length: number, masked: boolean): Buffer {
  const mask = masked ? 0x80 : 0;
  let head: Buffer;
  if (length < 126) head = Buffer.from([0x82, mask | length]);
  else if (length < 65_536) {
    head = Buffer.from([0x82, mask | 126, 0, 0]);
    head.writeUInt16BE(length, 2);
  } else {
    head = Buffer.from([0x82, mask | 127, 0, 0, 0, 0, 0, 0, 0, 0]);
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, Buffer.alloc(masked ? 4 : 0), Buffer.alloc(length, 0x81)]);
}

describe('FrameBoundaries', () => {
  it('FrameBoundaries finds frame boundaries for any segmentation', () => {
    const frames = fc.array(fc.tuple(fc.constantFrom(0, 1, 125, 126, 300, 65_535, 65_536, 70_000), fc.boolean()), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(frames, fc.array(fc.nat(200_000), { maxLength: 20 }), (given, cuts) => {
        const made = given.map(([length, masked]) => frameOf(length, masked));
        const ends = new Set<number>();
        let total = 0;
        for (const { length } of made) ends.add((total += length));
        const bytes = Buffer.concat(made);
        const boundaries = new FrameBoundaries();
        let at = 0;
        const places = [...cuts, ...ends, 1, 2, 3].map((place) => Math.min(place, total)).toSorted((a, b) => a - b);
        for (const end of places) {
          boundaries.pass(bytes, at, Math.max(at, end), false);
          at = Math.max(at, end);
          expect(boundaries.between).to.equal(ends.has(at) || at === 0);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('FrameBoundaries stops at the end of the current frame', () => {
    const boundaries = new FrameBoundaries();
    const two = Buffer.concat([frameOf(300, true), frameOf(5, false)]);
    expect(boundaries.pass(two, 0, 100, true)).to.equal(100);
    expect(boundaries.pass(two, 100, two.length, true)).to.equal(308);
  });
});
