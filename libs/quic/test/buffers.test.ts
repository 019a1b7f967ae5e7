import { expect } from 'chai';
import fc from 'fast-check';
import { ReceiveBuffer } from '../src/streams/receive-buffer.ts';
import { SendBuffer } from '../src/streams/send-buffer.ts';
import { ByteWriter } from '../src/wire/byte-writer.ts';

const text = Buffer.from(Array.from({ length: 400 }, (_, i) => i % 251));

describe('ReceiveBuffer', () => {
  it('ReceiveBuffer delivers every byte once and in order, regardless of how pieces arrive', () => {
    const piece = fc.record({ offset: fc.nat(399), length: fc.integer({ min: 1, max: 90 }) });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const buffer = new ReceiveBuffer();
        const given: Buffer[] = [];
        const arrived = new Set<number>();
        for (const { offset, length } of [...pieces, { offset: 0, length: 1 }]) {
          const bytes = text.subarray(offset, Math.min(text.length, offset + length));
          for (let i = 0; i < bytes.length; i++) arrived.add(offset + i);
          for (let next = buffer.add(offset, bytes); next !== null; next = buffer.shift())
            given.push(Buffer.from(next));
          for (let next = buffer.shift(); next !== null; next = buffer.shift()) given.push(Buffer.from(next));
        }
        let end = 0;
        while (arrived.has(end)) end += 1;
        expect(Buffer.concat(given).equals(text.subarray(0, end))).to.equal(true);
        expect(buffer.kept).to.equal([...arrived].filter((each) => each >= end).length);
      }),
      { numRuns: 500 },
    );
  });
});

describe('SendBuffer', () => {
  it('SendBuffer sends data until every byte is acknowledged, regardless of losses', () => {
    const step = fc.record({ length: fc.integer({ min: 1, max: 60 }), lost: fc.boolean(), write: fc.nat(80) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const buffer = new SendBuffer();
        const received = Buffer.alloc(text.length);
        const writer = new ByteWriter(Buffer.alloc(512));
        const send = (length: number, lost: boolean): void => {
          const offset = buffer.next;
          const size = Math.min(length, buffer.available);
          if (size === 0) return;
          writer.at = 0;
          buffer.send(writer, size);
          if (lost) buffer.lost(offset, size);
          else {
            writer.bytes.copy(received, offset, 0, size);
            buffer.acked(offset, size);
          }
        };
        for (const { length, lost, write } of steps) {
          buffer.write(text.subarray(buffer.written, Math.min(text.length, buffer.written + write)));
          send(length, lost);
        }
        while (buffer.hasLost || buffer.sent < buffer.written) send(100, false);
        expect(buffer.done).to.equal(true);
        expect(received.subarray(0, buffer.written).equals(text.subarray(0, buffer.written))).to.equal(true);
      }),
      { numRuns: 300 },
    );
  });

  it('SendBuffer does not retransmit bytes that were acknowledged before they were declared lost', () => {
    const buffer = new SendBuffer();
    buffer.write(text);
    const writer = new ByteWriter(Buffer.alloc(512));
    buffer.send(writer, 300);
    buffer.acked(100, 100);
    buffer.lost(0, 300);
    expect([buffer.next, buffer.available]).to.deep.equal([0, 100]);
    buffer.send(writer, 100);
    expect([buffer.next, buffer.available]).to.deep.equal([200, 100]);
  });
});
