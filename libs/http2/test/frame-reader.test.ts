import { expect } from 'chai';
import fc from 'fast-check';
import { FrameReader, type Frame, type FrameTaker } from '../src/frame-reader.ts';
import { frame, preface } from './peer.ts';

const maxSize = 16_384;

class Taker implements FrameTaker {
  readonly frames: string[] = [];
  readonly errors: number[] = [];
  /** Maximum number of frames to accept. */
  most = Infinity;

  frame({ type, flags, stream, bytes, at, end }: Frame): boolean {
    this.frames.push(`${type} ${flags} ${stream} ${bytes.toString('hex', at, end)}`);
    return this.frames.length < this.most;
  }

  unreadable(code: number): void {
    this.errors.push(code);
  }
}

/** Passes pieces to a reader through a longer buffer that is reused. */
function read(reader: FrameReader, ...pieces: readonly Buffer[]): void {
  const shared = Buffer.alloc(Math.max(0, ...pieces.map(({ length }) => length)) + 40, 0x55);
  for (const piece of pieces) {
    piece.copy(shared);
    reader.read(shared, piece.length);
    shared.fill(0x55);
  }
}

const said = (type: number, flags: number, stream: number, payload = Buffer.alloc(0)): string =>
  `${type} ${flags} ${stream} ${payload.toString('hex')}`;

describe('HTTP/2 frame reader', () => {
  it('FrameReader splits bytes into frames regardless of how the bytes arrive', () => {
    const one = fc.tuple(
      fc.nat(255),
      fc.nat(255),
      fc.nat(0x7fffffff),
      fc.oneof(fc.uint8Array({ maxLength: 30 }), fc.constantFrom(new Uint8Array(300), new Uint8Array(maxSize))),
    );
    fc.assert(
      fc.property(
        fc.array(one, { maxLength: 8 }),
        fc.infiniteStream(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 20_000 }))),
        (frames, sizes) => {
          const all = Buffer.concat([
            Buffer.from(preface),
            ...frames.map(([type, flags, stream, payload]) => frame(type, flags, stream, Buffer.from(payload))),
          ]);
          const taker = new Taker();
          const reader = new FrameReader(taker, true);
          for (let at = 0; at < all.length;) {
            const size = sizes.next().value as number;
            read(reader, all.subarray(at, at + size));
            at += size;
          }
          expect(taker.errors).to.deep.equal([]);
          expect(reader.pending).to.equal(false);
          expect(taker.frames).to.deep.equal(
            frames.map(([type, flags, stream, payload]) => said(type, flags, stream, Buffer.from(payload))),
          );
        },
      ),
    );
  });

  it('FrameReader ignores the reserved bit of the stream ID (RFC 9113 §4.1)', () => {
    const taker = new Taker();
    read(new FrameReader(taker, false), frame(1, 2, 0xff_fe_fd_fc));
    expect(taker.frames).to.deep.equal([said(1, 2, 0x7f_fe_fd_fc)]);
  });

  it('FrameReader reports an incomplete frame from its first to its last byte', () => {
    const whole = frame(0, 0, 1, Buffer.from('abc'));
    const reader = new FrameReader(new Taker(), false);
    const seen: boolean[] = [];
    for (const byte of whole) {
      read(reader, Buffer.from([byte]));
      seen.push(reader.pending);
    }
    expect(seen).to.deep.equal([...Array(whole.length - 1).fill(true), false]);
  });

  it('FrameReader requires the preface, which may arrive byte by byte (RFC 9113 §3.4)', () => {
    const whole = Buffer.from(preface);
    for (let at = 0; at < whole.length; at++) {
      const taker = new Taker();
      const reader = new FrameReader(taker, true);
      const wrong = Buffer.from(whole);
      wrong[at] = (wrong[at] as number) ^ 1;
      read(reader, Buffer.concat([wrong, frame(4, 0, 0)]));
      expect([taker.errors, taker.frames], `byte ${at}`).to.deep.equal([[1], []]);
    }
    const taker = new Taker();
    read(new FrameReader(taker, true), whole, frame(4, 0, 0));
    expect(taker.frames.length).to.equal(1);
  });

  it('FrameReader accepts frames of the default maximum size and rejects larger frames as soon as their header arrives (RFC 9113 §4.2)', () => {
    for (const [size, errors] of [
      [maxSize, []],
      [maxSize + 1, [6]],
      [0x01_00_00, [6]],
      [0xff_ff_ff, [6]],
    ] as const) {
      const head = frame(0, 0, 1, Buffer.alloc(0));
      head.writeUIntBE(size, 0, 3);
      const follows = Buffer.concat([Buffer.alloc(Math.min(size, maxSize)), frame(6, 0, 0)]);
      for (const begun of [0, 4, 9]) {
        const taker = new Taker();
        const reader = new FrameReader(taker, false);
        if (begun > 0) read(reader, head.subarray(0, begun));
        // An error is reported once. The caller must stop reading afterwards.
        if (taker.errors.length === 0) read(reader, Buffer.concat([head.subarray(begun), follows]));
        expect(taker.errors, `${size}`).to.deep.equal(errors);
        expect(taker.frames.length).to.equal(errors.length === 0 ? 2 : 0);
      }
    }
  });

  it('FrameReader stops reading after an oversized frame', () => {
    const taker = new Taker();
    const reader = new FrameReader(taker, false);
    const tooLarge = frame(0, 0, 1, Buffer.alloc(maxSize + 1)).subarray(0, 9);
    const ping = frame(6, 0, 0, Buffer.alloc(8));
    read(reader, ping, Buffer.concat([tooLarge, ping]), ping, tooLarge);
    expect([taker.frames, taker.errors]).to.deep.equal([[said(6, 0, 0, Buffer.alloc(8))], [6]]);
  });

  it('FrameReader delivers no more frames after the receiver returns false', () => {
    for (const split of [[27], [5, 9, 13], [9, 18], [12, 15]]) {
      const taker = new Taker();
      taker.most = 1;
      const reader = new FrameReader(taker, false);
      const all = Buffer.concat([frame(6, 1, 0), frame(6, 2, 0), frame(6, 3, 0)]);
      let at = 0;
      for (const end of [...split, 27]) {
        read(reader, all.subarray(at, end));
        at = end;
      }
      expect(taker.frames, split.join(' ')).to.deep.equal([said(6, 1, 0)]);
    }
  });

  it('FrameReader keeps data of different connections separate', () => {
    const takers = [new Taker(), new Taker(), new Taker()];
    const readers = takers.map((taker) => new FrameReader(taker, false));
    const frames = readers.map((_, i) => frame(0, i, 1, Buffer.alloc(50, i)));
    for (const [from, end] of [
      [0, 4],
      [4, 20],
      [20, 59],
    ] as const)
      for (const [i, reader] of readers.entries()) read(reader, (frames[i] as Buffer).subarray(from, end));
    // Repeats the test, because the first reader passes its buffer on to the next one.
    for (const [i, reader] of readers.entries())
      read(reader, (frames[i] as Buffer).subarray(0, 30), (frames[i] as Buffer).subarray(30));
    for (const [i, taker] of takers.entries())
      expect(taker.frames).to.deep.equal(Array(2).fill(said(0, i, 1, Buffer.alloc(50, i))));
  });
});
