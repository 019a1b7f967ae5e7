import { expect } from 'chai';
import fc from 'fast-check';
import { HpackDecoder } from '../../src/hpack/decoder.ts';
import { fieldKind } from '../../src/hpack/field-name.ts';
import { decode, indexed, integer, literal, text, texts, update } from './blocks.ts';
import { staticTable } from './static-table.ts';

const overhead = 32;
const tableLimit = 4096;
/** Returns entries of 35 bytes, such as `a: 00` and `a: 01`. 117 entries fit in the table. */
const entry = (number: number): string => number.toString(16).padStart(2, '0');
const maxEntries = 117;

function filled(count: number): HpackDecoder {
  const decoder = new HpackDecoder();
  for (let i = 0; i < count; i++) expect(texts(decoder, literal('inserted', 'a', entry(i)))).to.have.length(1);
  return decoder;
}

describe('HPACK decoder tables', () => {
  it('the HPACK decoder table begins with the static table (RFC 7541 appendix A)', () => {
    for (const [i, expected] of staticTable.entries()) {
      const field = decode(new HpackDecoder(), indexed(i + 1))?.[0];
      expect(`${field?.name}: ${field?.value}`).to.equal(expected);
      expect(field?.size).to.equal(expected.length - 2 + overhead);
      const named = texts(new HpackDecoder(), literal('notInserted', i + 1, 'x'));
      expect(named).to.deep.equal([`${expected.split(': ')[0]}: x`]);
    }
    expect(decode(new HpackDecoder(), indexed(staticTable.length + 1))).to.equal(null);
    expect(decode(new HpackDecoder(), literal('inserted', staticTable.length + 1, 'x'))).to.equal(null);
  });

  it('the HPACK dynamic table starts with the newest entry and ends with the oldest', () => {
    const decoder = filled(maxEntries);
    for (let i = 0; i < maxEntries; i++)
      expect(texts(decoder, indexed(62 + i))).to.deep.equal([`a: ${entry(maxEntries - 1 - i)}`]);
    expect(decode(decoder, indexed(62 + maxEntries))).to.equal(null);
    expect(decode(filled(maxEntries + 1), indexed(62 + maxEntries))).to.equal(null);
  });

  it('the HPACK dynamic table can be filled with empty entries up to the maximum number of entries', () => {
    const decoder = new HpackDecoder();
    const count = tableLimit / overhead;
    for (let i = 0; i <= count; i++) decode(decoder, literal('inserted', '', ''));
    expect(decode(decoder, indexed(61 + count))).to.deep.equal([
      { name: '', value: '', kind: fieldKind.malformed, size: overhead },
    ]);
    expect(decode(decoder, indexed(62 + count))).to.equal(null);
  });

  it('HpackDecoder adds only literals with incremental indexing to the table (RFC 7541 §6.2)', () => {
    const decoder = new HpackDecoder();
    for (const form of ['notInserted', 'neverInserted'] as const)
      expect(texts(decoder, literal(form, 'x-a', 'b'), literal(form, 1, 'c'))).to.deep.equal([
        'x-a: b',
        ':authority: c',
      ]);
    expect(decode(decoder, indexed(62))).to.equal(null);
  });

  it('an HPACK table entry records that its value is malformed, without affecting its name', () => {
    const decoder = new HpackDecoder();
    expect(decode(decoder, literal('inserted', 'x-a', ' b'))?.[0]?.kind).to.equal(fieldKind.malformed);
    expect(decode(decoder, indexed(62))?.[0]?.kind).to.equal(fieldKind.malformed);
    expect(decode(decoder, literal('notInserted', 62, 'b'))?.[0]?.kind).to.equal(fieldKind.plain);
  });

  it('HPACK entry sizes are counted in bytes, not characters', () => {
    const decoder = new HpackDecoder();
    const field = { name: 'x-a', value: 'äöü', kind: fieldKind.plain, size: 3 + 6 + overhead };
    expect(decode(decoder, literal('inserted', 'x-a', 'äöü'))).to.deep.equal([field]);
    expect(decode(decoder, indexed(62))).to.deep.equal([field]);
    // The entry fits the table exactly and is evicted if the table shrinks by one byte.
    expect(decode(decoder, update(field.size), indexed(62))).to.deep.equal([field]);
    expect(decode(decoder, update(field.size - 1), indexed(62))).to.equal(null);
  });

  it('an HPACK table entry may fill the whole table, and a larger entry empties the table (RFC 7541 §4.4)', () => {
    const value = 'v'.repeat(tableLimit - overhead - 1);
    const whole = filled(1);
    decode(whole, literal('inserted', 'b', value));
    expect(texts(whole, indexed(62))).to.deep.equal([`b: ${value}`]);
    expect(decode(whole, indexed(63))).to.equal(null);
    const emptied = filled(1);
    expect(texts(emptied, literal('inserted', 'b', `${value}v`))).to.deep.equal([`b: ${value}v`]);
    expect(decode(emptied, indexed(62))).to.equal(null);
  });

  it('an HPACK table entry may refer to the name of an entry that its insertion evicts (RFC 7541 §4.4)', () => {
    const decoder = new HpackDecoder();
    decode(decoder, literal('inserted', 'x-name', 'v'.repeat(4000)));
    expect(texts(decoder, literal('inserted', 62, 'w'.repeat(4000)))).to.deep.equal([`x-name: ${'w'.repeat(4000)}`]);
    expect(decode(decoder, indexed(62))?.[0]?.name).to.equal('x-name');
  });

  it('an HPACK size update may empty the table, but not exceed the advertised size (RFC 7541 §4.2)', () => {
    const decoder = filled(5);
    expect(texts(decoder, update(0), update(tableLimit), indexed(2))).to.deep.equal([':method: GET']);
    expect(decode(decoder, indexed(62))).to.equal(null);
    expect(texts(filled(0), update(tableLimit))).to.deep.equal([]);
    expect(decode(filled(0), update(tableLimit + 1))).to.equal(null);
  });

  it('the HPACK decoder table matches the encoder table after any sequence of operations', () => {
    const op = fc.oneof(
      fc.record({ index: fc.nat(140) }),
      fc.record({
        name: fc.constantFrom('a', 'x-b', 'y-longer-name'),
        value: fc.string({ maxLength: 60, unit: 'grapheme-ascii' }),
      }),
      fc.record({ named: fc.nat(140), value: fc.nat(2000) }),
      fc.record({ size: fc.nat(tableLimit) }),
    );
    fc.assert(
      fc.property(fc.array(op, { maxLength: 300 }), (ops) => {
        const decoder = new HpackDecoder();
        let limit = tableLimit;
        let table: (readonly [name: string, value: string])[] = [];
        const trim = (): void => {
          let size = 0;
          const end = table.findIndex(([name, value]) => (size += name.length + value.length + overhead) > limit);
          if (end >= 0) table = table.slice(0, end);
        };
        const insert = (name: string, value: string): void => {
          table = [[name, value], ...table];
          trim();
        };
        for (const each of ops) {
          if ('size' in each) {
            limit = each.size;
            trim();
            expect(decode(decoder, update(limit))).to.deep.equal([]);
          } else if ('index' in each) {
            const found = table[each.index];
            if (found !== undefined) expect(texts(decoder, indexed(62 + each.index))).to.deep.equal([found.join(': ')]);
          } else if ('named' in each) {
            const name = table[each.named]?.[0];
            if (name === undefined) continue;
            const value = 'v'.repeat(each.value);
            expect(texts(decoder, literal('inserted', 62 + each.named, value))).to.deep.equal([`${name}: ${value}`]);
            insert(name, value);
          } else {
            expect(texts(decoder, literal('inserted', each.name, each.value))).to.have.length(1);
            insert(each.name, each.value);
          }
        }
        for (const [i, found] of table.entries())
          expect(texts(decoder, indexed(62 + i))).to.deep.equal([found.join(': ')]);
        expect(decode(decoder, indexed(62 + table.length))).to.equal(null);
      }),
    );
  });
});

describe('HPACK decoder integers (RFC 7541 §5.1)', () => {
  it('HpackDecoder decodes integers below and above the prefix limit, in each representation', () => {
    // Integer prefixes have 7 bits for an index and 6 or 4 for a name index. They have 5 bits for a table size and 7 for a string length.
    for (const index of [126, 127, 128]) {
      const decoder = filled(maxEntries);
      const value = entry(maxEntries - 1 - (index - 62));
      expect(texts(decoder, indexed(index)), `${index}`).to.deep.equal([`a: ${value}`]);
    }
    for (const index of [14, 15, 16, 62, 63, 64])
      for (const form of ['inserted', 'notInserted', 'neverInserted'] as const) {
        const name = index > 61 ? 'a' : staticTable[index - 1]?.split(': ')[0];
        expect(texts(filled(9), literal(form, index, 'x')), `${form} ${index}`).to.deep.equal([`${name}: x`]);
      }
    for (const size of [69, 70, 71, 105, 4095])
      for (const [i, isThere] of [size >= 35, size >= 70, size >= 105].entries())
        expect(decode(filled(3), update(size), indexed(62 + i)) !== null, `${size} ${i}`).to.equal(isThere);
    for (const size of [30, 31, 32]) {
      const decoder = filled(1);
      expect(decode(decoder, update(size), literal('inserted', '', ''))).to.have.length(1);
      expect(decode(decoder, indexed(62)) !== null, `${size}`).to.equal(size === overhead);
    }
    for (const length of [126, 127, 128, 254, 255, 256, 16_510, 16_511, 16_512]) {
      const value = 'v'.repeat(length);
      expect(texts(new HpackDecoder(), literal('notInserted', 1, value))).to.deep.equal([`:authority: ${value}`]);
    }
  });

  it('HpackDecoder accepts integers with up to four continuation bytes, even redundant bytes, and rejects longer integers', () => {
    const length = (...zeros: readonly number[]): Buffer =>
      Buffer.concat([Buffer.from([0x01, 0x7f, ...zeros]), Buffer.alloc(127, 'v')]);
    expect(texts(new HpackDecoder(), length(0x80, 0x80, 0x80, 0))).to.deep.equal([`:authority: ${'v'.repeat(127)}`]);
    expect(decode(new HpackDecoder(), length(0x80, 0x80, 0x80, 0x80, 0))).to.equal(null);
  });

  it('HPACK integers that are truncated or out of range are rejected', () => {
    for (const block of [integer(0x80, 0x7f, 5000), integer(0x40, 0x3f, 5000), update(300)])
      for (let end = 1; end < block.length; end++)
        expect(decode(new HpackDecoder(), block.subarray(0, end)), block.toString('hex')).to.equal(null);
    for (const block of [literal('inserted', 'abc', 'def'), literal('notInserted', 'abc', 'x'.repeat(200))])
      for (let end = 1; end < block.length; end++)
        expect(decode(new HpackDecoder(), block.subarray(0, end)), `${end} bytes`).to.equal(null);
    expect(decode(new HpackDecoder(), Buffer.from([0x01]), text('ab').subarray(0, 2))).to.equal(null);
  });
});
