import { expect } from 'chai';
import fc from 'fast-check';
import { HpackDecoder } from '../../src/hpack/decoder.ts';
import { HpackEncoder } from '../../src/hpack/encoder.ts';
import { Output } from '../../src/output.ts';

/** An encoder with the decoder of its peer. */
class Pair {
  readonly encoder = new HpackEncoder();
  readonly #decoder = new HpackDecoder();
  readonly #output = new Output(64);

  /** Bytes of a block. */
  encode(fields: readonly string[]): Buffer {
    const output = this.#output;
    output.end = 0;
    output.reserve(HpackEncoder.sizeOf(fields));
    this.encoder.encode(output, fields);
    return Buffer.from(output.bytes.subarray(0, output.end));
  }

  /** What the peer reads. */
  pass(fields: readonly string[]): string[] | null {
    const block = this.encode(fields);
    const seen: string[] = [];
    const sink = { field: (name: string, value: string) => void seen.push(name, value) };
    return this.#decoder.decode(block, 0, block.length, sink) ? seen : null;
  }
}

const response = [':status', '200', 'server', 'Sluice', 'content-type', 'text/html', 'x-a', 'b'];

describe('HPACK encoder', () => {
  it('puts to the table what is sent a second time, and copies what is sent again', () => {
    const pair = new Pair();
    const sizes = Array.from({ length: 4 }, () => pair.encode(response).length);
    expect(sizes[0]).to.be.greaterThan(20);
    expect(sizes.slice(2)).to.deep.equal([4, 4]);
  });

  it('keeps secrets and values that do not come again out of the table', () => {
    const pair = new Pair();
    const fields = ['set-cookie', 'a=b', 'etag', '"x"', 'content-length', '17'];
    const first = pair.encode(fields);
    expect(pair.encode(fields)).to.deep.equal(first);
    expect((first[0] as number) & 0xf0, 'never indexed (RFC 7541 §6.2.3)').to.equal(0x10);
  });

  it('says that its table is smaller, and by how much it was in between (RFC 7541 §4.2)', () => {
    const pair = new Pair();
    for (let i = 0; i < 3; i++) pair.pass(response);
    pair.encoder.setLimit(0);
    pair.encoder.setLimit(100);
    const block = pair.encode(response);
    expect([...block.subarray(0, 3)]).to.deep.equal([0x20, 0x3f, 100 - 31]);
  });

  it('is understood, whatever is sent', () => {
    const name = fc.constantFrom(
      ':status',
      'server',
      'content-type',
      'x-a',
      'x-b',
      'date',
      'etag',
      'set-cookie',
      'vary',
    );
    const value = fc.oneof(
      fc.constantFrom('200', 'a', 'text/html', 'x'.repeat(300)),
      fc.string({ maxLength: 20, unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) }),
      fc.constant('y'.repeat(3000)),
    );
    const block = fc.array(fc.tuple(name, value), { maxLength: 12 }).map((fields) => fields.flat());
    const step = fc.oneof({ weight: 8, arbitrary: block }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 8000 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const pair = new Pair();
        for (const each of steps) {
          if (typeof each === 'number') pair.encoder.setLimit(each);
          else expect(pair.pass(each)).to.deep.equal(each);
        }
      }),
      { numRuns: 200 },
    );
  });
});
