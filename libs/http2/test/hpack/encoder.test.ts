import { expect } from 'chai';
import fc from 'fast-check';
import { HpackDecoder } from '../../src/hpack/decoder.ts';
import { HpackEncoder } from '../../src/hpack/encoder.ts';
import { Output } from '../../src/output.ts';
import { integer, texts } from './blocks.ts';
import { staticTable } from './static-table.ts';

class Pair {
  readonly encoder = new HpackEncoder();
  readonly #decoder = new HpackDecoder();
  readonly #output = new Output(64);

  encode(fields: readonly string[]): Buffer {
    const output = this.#output;
    output.end = 0;
    output.reserve(HpackEncoder.sizeOf(fields));
    this.encoder.encode(output, fields);
    return Buffer.from(output.bytes.subarray(0, output.end));
  }

  pass(fields: readonly string[]): string[] | null {
    const block = this.encode(fields);
    const seen: string[] = [];
    const sink = { field: (name: string, value: string) => void seen.push(name, value) };
    return this.#decoder.decode(block, 0, block.length, sink) ? seen : null;
  }
}

const response = [':status', '200', 'server', 'Sluice', 'content-type', 'text/html', 'x-a', 'b'];

describe('HPACK encoder', () => {
  it('HpackEncoder indexes a repeated field, and reuses the encoding of a repeated block', () => {
    const pair = new Pair();
    const sizes = Array.from({ length: 4 }, () => pair.encode(response).length);
    expect(sizes[0]).to.be.greaterThan(20);
    expect(sizes.slice(2)).to.deep.equal([4, 4]);
  });

  it('HpackEncoder never indexes sensitive fields or unique values', () => {
    const pair = new Pair();
    const fields = ['set-cookie', 'a=b', 'etag', '"x"', 'content-length', '17'];
    const first = pair.encode(fields);
    expect(pair.encode(fields)).to.deep.equal(first);
    expect((first[0] as number) & 0xf0, 'never indexed (RFC 7541 §6.2.3)').to.equal(0x10);
  });

  it('HpackEncoder advertises the smallest table size first if the size was reduced and then raised (RFC 7541 §4.2)', () => {
    const pair = new Pair();
    for (let i = 0; i < 3; i++) pair.pass(response);
    pair.encoder.setLimit(0);
    pair.encoder.setLimit(100);
    const block = pair.encode(response);
    expect([...block.subarray(0, 3)]).to.deep.equal([0x20, 0x3f, 100 - 31]);
  });

  it('HpackEncoder uses one byte for static entries, and static name references for other values', () => {
    const pair = new Pair();
    for (const [i, entry] of staticTable.entries()) {
      const [name = '', value = ''] = entry.split(': ');
      if (value !== '') expect([...pair.encode([name, value])], entry).to.deep.equal([0x81 + i]);
      else expect(texts(new HpackDecoder(), new Pair().encode([name, 'x']))).to.deep.equal([`${name}: x`]);
    }
    // The index bits of the representation contain the first table index with this name.
    expect([...pair.encode([':status', '201'])]).to.deep.equal([0x08, 3, 0x32, 0x30, 0x31]);
    expect([...pair.encode(['server', 'x'])]).to.deep.equal([0x0f, 54 - 15, 1, 0x78]);
    expect([...pair.encode(['server', ''])]).to.deep.equal([0x0f, 54 - 15, 0]);
    expect([...pair.encode(['set-cookie', 'x'])]).to.deep.equal([0x1f, 55 - 15, 1, 0x78]);
    expect([...pair.encode(['x-a', 'x'])]).to.deep.equal([0, 3, 0x78, 0x2d, 0x61, 1, 0x78]);
  });

  it('HpackEncoder sends a value first as a literal without indexing, then as an indexed literal, and then as an index', () => {
    const pair = new Pair();
    const first = (fields: readonly string[]): number => pair.encode(fields)[0] as number;
    expect([first(['x-a', '1']), first(['x-a', '1']), first(['x-a', '1'])]).to.deep.equal([0, 0x40, 0x80 + 62]);
    expect([first(['x-b', '1']), first(['x-b', '1']), first(['x-b', '1'])]).to.deep.equal([0, 0x40, 0x80 + 62]);
    expect([first(['x-a', '1']), first(['x-b', '1'])]).to.deep.equal([0x80 + 63, 0x80 + 62]);
  });

  it('HpackEncoder remembers the last four values of a name', () => {
    const pair = new Pair();
    for (const value of ['1', '2', '3', '4', '1', '2', '3', '4']) pair.pass(['x-a', value]);
    expect(['1', '2', '3', '4'].map((value) => pair.encode(['x-a', value]).length)).to.deep.equal([1, 1, 1, 1]);
    pair.pass(['x-a', '5']);
    // Each field is combined with another one, because whole field blocks are cached as well.
    const size = (value: string): number => pair.encode(['x-a', value, ':method', 'GET']).length;
    expect(['2', '3', '4'].map(size)).to.deep.equal([2, 2, 2]);
    expect(size('1')).to.be.greaterThan(2);
  });

  it('HpackEncoder remembers 64 names, and forgets all of them when there are more', () => {
    const names = Array.from({ length: 65 }, (_, i) => `x-${i}`);
    const taught = (count: number): Pair => {
      const pair = new Pair();
      for (const name of names.slice(0, count)) pair.encode([name, '1']);
      return pair;
    };
    expect((taught(64).encode(['x-0', '1'])[0] as number) & 0x40, 'to the table').to.equal(0x40);
    expect((taught(65).encode(['x-0', '1'])[0] as number) & 0x40).to.equal(0);
  });

  it('HpackEncoder does not index a field larger than half of the table', () => {
    const half = 2048 - 32 - 3;
    for (const [length, form] of [
      [half, 0x40],
      [half + 1, 0],
    ] as const) {
      const pair = new Pair();
      const field = ['x-a', 'v'.repeat(length)];
      pair.encode(field);
      expect((pair.encode(field)[0] as number) & 0x40, `${length}`).to.equal(form);
    }
  });

  it('HpackEncoder can index each of a hundred entries', () => {
    const pair = new Pair();
    const names = Array.from({ length: 55 }, (_, i) => `x-${10 + i}`);
    const fields = names.flatMap((name) => ['1', '2'].map((value) => [name, value]));
    for (const field of fields) for (let i = 0; i < 2; i++) pair.pass(field);
    for (const field of fields) {
      const block = [...field, ':method', 'GET'];
      expect(pair.pass(block)).to.deep.equal(block);
      expect(pair.encode(block).length).to.be.at.most(3);
    }
  });

  it('HpackEncoder fills its table completely', () => {
    const pair = new Pair();
    const value = 'v'.repeat(2048 - 32 - 3);
    for (const name of ['x-a', 'x-b']) for (let i = 0; i < 2; i++) pair.pass([name, value]);
    expect(pair.encode(['x-a', value, 'x-b', value]).length).to.equal(2);
    // With one byte less, only one of the two entries fits.
    pair.encoder.setLimit(4095);
    expect(pair.encode(['x-b', value]).length, 'an update of three bytes, and an index').to.equal(4);
    expect(pair.encode(['x-a', value]).length).to.be.greaterThan(2000);
  });

  it('HpackEncoder evicts the same entries as the peer and never refers to an evicted entry', () => {
    const pair = new Pair();
    const value = 'v'.repeat(1000);
    for (const name of ['x-a', 'x-b', 'x-c', 'x-d']) for (let i = 0; i < 2; i++) pair.pass([name, value]);
    // 4 × 1,035 bytes exceed 4,096 bytes, so the first entry is evicted.
    for (const name of ['x-b', 'x-c', 'x-d']) expect(pair.encode([name, value]).length).to.equal(1);
    expect((pair.encode(['x-a', value])[0] as number) & 0xc0).to.equal(0x40);
  });

  it('HpackEncoder reuses the encoding of a repeated block until the table changes', () => {
    const pair = new Pair();
    const blocks = Array.from({ length: 4 }, (_, i) => ['x-a', `${i}`, ':status', '200']);
    for (let round = 0; round < 5; round++)
      for (const block of blocks) {
        expect(pair.pass(block)).to.deep.equal(block);
        if (round > 1) expect(pair.encode(block).length).to.equal(2);
      }
    pair.pass(['x-new', '1']);
    pair.pass(['x-new', '1']);
    for (const block of blocks) expect(pair.pass(block)).to.deep.equal(block);
  });

  it('HpackEncoder advertises the smallest and the last of several table sizes, and omits an unchanged size (RFC 7541 §4.2)', () => {
    const begin = (...limits: readonly number[]): string => {
      const pair = new Pair();
      for (const limit of limits) pair.encoder.setLimit(limit);
      const block = pair.encode([':method', 'GET']);
      expect(pair.encode([':method', 'GET']).toString('hex'), 'once').to.equal('82');
      expect(block.at(-1)).to.equal(0x82);
      return block.toString('hex', 0, block.length - 1);
    };
    const update = (size: number): string => integer(0x20, 0x1f, size).toString('hex');
    expect([begin(4096), begin(5000), begin(2 ** 32 - 1)]).to.deep.equal(['', '', '']);
    expect(begin(100)).to.equal(update(100));
    expect(begin(0)).to.equal(update(0));
    expect(begin(100, 200)).to.equal(update(100) + update(200));
    expect(begin(100, 50)).to.equal(update(50));
    expect(begin(200, 0, 9000)).to.equal(update(0) + update(4096));
    expect(begin(100, 100)).to.equal(update(100));
  });

  it('HpackEncoder never writes more than the reserved number of bytes', () => {
    const text = (maxSize: number): fc.Arbitrary<string> => fc.nat(maxSize).map((length) => 'a'.repeat(length));
    fc.assert(
      fc.property(fc.array(fc.tuple(text(300), text(20_000)), { maxLength: 5 }), (fields) => {
        const encoder = new HpackEncoder();
        encoder.setLimit(5000);
        encoder.setLimit(0);
        encoder.setLimit(4000);
        const output = new Output(1);
        const maxSize = HpackEncoder.sizeOf(fields.flat());
        output.reserve(maxSize + 100);
        encoder.encode(output, fields.flat());
        expect(output.end).to.be.at.most(maxSize);
      }),
    );
  });

  it('HpackEncoder output is decoded correctly for any fields', () => {
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
      ...Array.from({ length: 80 }, (_, i) => `x-${i}`),
    );
    const value = fc.oneof(
      fc.constantFrom('200', 'a', 'text/html', 'x'.repeat(300)),
      fc.string({ maxLength: 20, unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) }),
      fc.constant('y'.repeat(3000)),
    );
    const block = fc.array(fc.tuple(name, value), { maxLength: 12 }).map((fields) => fields.flat());
    const step = fc.oneof(
      { weight: 4, arbitrary: block },
      { weight: 12, arbitrary: fc.record({ again: fc.nat(9) }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 8000 }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const pair = new Pair();
        const sent: string[][] = [];
        for (const each of steps) {
          const again = typeof each === 'number' || Array.isArray(each) ? each : (sent.at(-1 - each.again) ?? []);
          if (typeof again === 'number') pair.encoder.setLimit(again);
          else {
            expect(pair.pass(again)).to.deep.equal(again);
            sent.push(again);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
