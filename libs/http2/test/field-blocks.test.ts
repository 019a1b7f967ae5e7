import { expect } from 'chai';
import { FieldBlocks, partial, whole } from '../src/field-blocks.ts';
import type { Frame } from '../src/frame-reader.ts';

const endHeaders = 4;
const padded = 8;
const priority = 0x20;
const protocolError = 1;
const frameSizeError = 6;
const enhanceYourCalm = 11;

/** Returns a frame whose payload is a part of a larger buffer. */
function frameOf(stream: number, flags: number, payload: string): Frame {
  const bytes = Buffer.from(`ffff${payload}ffff`, 'hex');
  return { type: 1, flags, stream, bytes, at: 2, end: bytes.length - 2 };
}

const blockOf = ({ bytes, at, end }: FieldBlocks): string => bytes.toString('hex', at, end);

/** Processes a HEADERS frame. Returns the state and the field block. */
function headers(flags: number, payload: string, stream = 1): [state: number, block: string] {
  const blocks = new FieldBlocks();
  const state = blocks.headers(frameOf(stream, flags, payload), 1000);
  return [state, blockOf(blocks)];
}

describe('HTTP/2 field blocks', () => {
  it('FieldBlocks returns the payload of a HEADERS frame with END_HEADERS', () => {
    const blocks = new FieldBlocks();
    expect(blocks.headers(frameOf(7, endHeaders | 1, 'abcd'), 1)).to.equal(whole);
    expect([blockOf(blocks), blocks.stream, blocks.flags, blocks.pending]).to.deep.equal(['abcd', 7, 5, false]);
  });

  it('FieldBlocks removes padding and priority', () => {
    expect(headers(endHeaders | padded, '02abcd0000')).to.deep.equal([whole, 'abcd']);
    expect(headers(endHeaders | padded, '00abcd')).to.deep.equal([whole, 'abcd']);
    expect(headers(endHeaders | padded, '03000000')).to.deep.equal([whole, '']);
    expect(headers(endHeaders | priority, '0000000310abcd')).to.deep.equal([whole, 'abcd']);
    expect(headers(endHeaders | priority | padded, '010000000310abcd00')).to.deep.equal([whole, 'abcd']);
    expect(headers(endHeaders | priority, '0000000310')).to.deep.equal([whole, '']);
  });

  it('FieldBlocks rejects padding that exceeds the payload or has no length (RFC 9113 §6.2)', () => {
    expect(headers(endHeaders | padded, '03abcd')[0]).to.equal(protocolError);
    expect(headers(endHeaders | padded, '')[0]).to.equal(frameSizeError);
    expect(headers(endHeaders | priority, '00000003')[0]).to.equal(frameSizeError);
    expect(headers(endHeaders | priority | padded, '01000000031000')[0]).to.equal(whole);
    expect(headers(endHeaders | priority | padded, '020000000310')[0]).to.equal(frameSizeError);
  });

  it('FieldBlocks rejects server-initiated streams, and streams that depend on themselves', () => {
    expect(headers(endHeaders | priority, '0000000510', 5)[0]).to.equal(protocolError);
    expect(headers(endHeaders | priority, '8000000510', 5)[0]).to.equal(protocolError);
    expect(headers(endHeaders | priority, '0100000510', 5)[0]).to.equal(whole);
    for (const stream of [0, 2, 8]) expect(headers(endHeaders, 'ab', stream)[0]).to.equal(protocolError);
  });

  it('FieldBlocks joins HEADERS and CONTINUATION frames, even if their buffers are reused', () => {
    const blocks = new FieldBlocks();
    const first = frameOf(1, 1 | padded, '01abcd00');
    expect([blocks.headers(first, 100), blocks.pending]).to.deep.equal([partial, true]);
    first.bytes.fill(0);
    const second = frameOf(1, 0, 'ef');
    expect([blocks.continuation(second, 100), blocks.pending]).to.deep.equal([partial, true]);
    second.bytes.fill(0);
    expect([blocks.continuation(frameOf(1, endHeaders, '0102'), 100), blocks.pending]).to.deep.equal([whole, false]);
    expect([blockOf(blocks), blocks.stream, blocks.flags & 1]).to.deep.equal(['abcdef0102', 1, 1]);
    // The state must be reset for the next field block.
    blocks.headers(frameOf(3, 0, '99'), 100);
    expect(blocks.continuation(frameOf(3, endHeaders, ''), 100)).to.equal(whole);
    expect([blockOf(blocks), blocks.stream, blocks.flags & 1]).to.deep.equal(['99', 3, 0]);
  });

  it('FieldBlocks rejects a CONTINUATION frame without HEADERS', () => {
    const blocks = new FieldBlocks();
    expect(blocks.continuation(frameOf(1, endHeaders, 'ab'), 100)).to.equal(protocolError);
    blocks.headers(frameOf(1, endHeaders, 'ab'), 100);
    expect(blocks.continuation(frameOf(1, endHeaders, 'ab'), 100)).to.equal(protocolError);
  });

  it('FieldBlocks limits the size of a fragmented block', () => {
    const blocks = new FieldBlocks();
    expect(blocks.headers(frameOf(1, 0, 'ab'.repeat(60)), 100)).to.equal(partial);
    expect(blocks.continuation(frameOf(1, 0, 'ab'.repeat(40)), 100)).to.equal(partial);
    expect(blocks.continuation(frameOf(1, 0, ''), 100)).to.equal(partial);
    expect(blocks.continuation(frameOf(1, endHeaders, 'ab'), 100)).to.equal(enhanceYourCalm);
    expect(new FieldBlocks().headers(frameOf(1, 0, 'ab'.repeat(101)), 100)).to.equal(enhanceYourCalm);
  });

  it('FieldBlocks accepts at most one hundred CONTINUATION frames', () => {
    const count = (max: number): number => {
      const blocks = new FieldBlocks();
      blocks.headers(frameOf(1, 0, ''), 100);
      for (let i = 1; i < max; i++) expect(blocks.continuation(frameOf(1, 0, ''), 100)).to.equal(partial);
      return blocks.continuation(frameOf(1, endHeaders, ''), 100);
    };
    expect(count(100)).to.equal(whole);
    expect(count(101)).to.equal(enhanceYourCalm);
  });
});
