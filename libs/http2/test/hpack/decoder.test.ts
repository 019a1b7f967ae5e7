import { expect } from 'chai';
import { HpackDecoder } from '../../src/hpack/decoder.ts';
import { fieldKind } from '../../src/hpack/field-name.ts';

interface Seen {
  readonly text: string;
  readonly kind: number;
}

function decode(decoder: HpackDecoder, hex: string): Seen[] | null {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const seen: Seen[] = [];
  const sink = {
    field: (name: string, value: string, kind: number) => void seen.push({ text: `${name}: ${value}`, kind }),
  };
  return decoder.decode(bytes, 0, bytes.length, sink) ? seen : null;
}

const texts = (decoder: HpackDecoder, hex: string): string[] | undefined =>
  decode(decoder, hex)?.map(({ text }) => text);

const first = [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'];
const second = [...first, 'cache-control: no-cache'];
const third = [':method: GET', ':scheme: https', ':path: /index.html', first[3], 'custom-key: custom-value'];

describe('HPACK decoder', () => {
  it('HpackDecoder decodes the examples of RFC 7541 C.3, without Huffman coding', () => {
    const decoder = new HpackDecoder();
    expect(texts(decoder, '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d')).to.deep.equal(first);
    expect(texts(decoder, '8286 84be 5808 6e6f 2d63 6163 6865')).to.deep.equal(second);
    expect(texts(decoder, '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65')).to.deep.equal(
      third,
    );
  });

  it('HpackDecoder decodes the examples of RFC 7541 C.4, with Huffman coding', () => {
    const decoder = new HpackDecoder();
    expect(texts(decoder, '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff')).to.deep.equal(first);
    expect(texts(decoder, '8286 84be 5886 a8eb 1064 9cbf')).to.deep.equal(second);
    expect(texts(decoder, '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf')).to.deep.equal(third);
  });

  it('HpackDecoder decodes integers of several bytes (RFC 7541 C.1.2)', () => {
    // A field name of 1,337 bytes.
    const name = 'a'.repeat(1337);
    const decoder = new HpackDecoder();
    const block = Buffer.concat([Buffer.from([0x00, 0x7f, 0xba, 0x09]), Buffer.from(name), Buffer.from([1, 0x62])]);
    expect(texts(decoder, block.toString('hex'))).to.deep.equal([`${name}: b`]);
  });

  it('HpackDecoder evicts entries that no longer fit (RFC 7541 §4.4)', () => {
    const decoder = new HpackDecoder();
    const literal = (value: string): string =>
      Buffer.concat([Buffer.from([0x40, 1, 0x61, value.length]), Buffer.from(value)]).toString('hex');
    // A table size update to 80 bytes. Two entries of 34 bytes fit in the table.
    expect(texts(decoder, `3f31 ${literal('1')}${literal('2')}`)).to.deep.equal(['a: 1', 'a: 2']);
    expect(texts(decoder, 'be bf')).to.deep.equal(['a: 2', 'a: 1']);
    expect(texts(decoder, literal('3'))).to.deep.equal(['a: 3']);
    expect(texts(decoder, 'be bf')).to.deep.equal(['a: 3', 'a: 2']);
    expect(texts(decoder, 'c0')).to.equal(undefined);
  });

  for (const [what, hex] of [
    ['an index of 0', '80'],
    ['an index beyond the table', 'ff 7f'],
    ['an unterminated integer', 'ff ff ff ff ff ff ff'],
    ['a truncated string', '00 05 61'],
    ['a table size update after a field', '82 20'],
    ['a table size above the limit', '3f e2 1f'],
    ['Huffman padding that is longer than 7 bits', '00 01 61 82 ff ff'],
    ['Huffman padding that is not all ones', '00 01 61 81 00'],
    ['EOS within a Huffman-encoded string', '00 01 61 84 ff ff ff ff'],
  ] as const) {
    it(`HpackDecoder rejects ${what}`, () => {
      expect(decode(new HpackDecoder(), hex)).to.equal(null);
    });
  }

  it('HpackDecoder classifies fields and detects forbidden fields', () => {
    const literal = (name: string, value: string): string =>
      Buffer.concat([
        Buffer.from([0, name.length]),
        Buffer.from(name, 'latin1'),
        Buffer.from([value.length]),
        Buffer.from(value, 'latin1'),
      ]).toString('hex');
    const kindOf = (name: string, value = 'x'): number | undefined =>
      decode(new HpackDecoder(), literal(name, value))?.[0]?.kind;
    expect(kindOf('x-a')).to.equal(fieldKind.plain);
    expect(kindOf('x_a')).to.equal(fieldKind.irregular);
    expect(kindOf('cookie')).to.equal(fieldKind.cookie);
    for (const name of ['', 'X-A', 'a b', ':nope', 'connection', 'transfer-encoding', 'upgrade', 'é'])
      expect(kindOf(name), name).to.equal(fieldKind.malformed);
    for (const value of ['a\0', 'a\rb', 'a\nb', ' a', 'a ', '\ta', '\x7f'])
      expect(kindOf('x-a', value), JSON.stringify(value)).to.equal(fieldKind.malformed);
    expect(kindOf('x-a', 'a\tb')).to.equal(fieldKind.plain);
    expect(texts(new HpackDecoder(), literal('x-a', Buffer.from('ä').toString('latin1')))).to.deep.equal(['x-a: ä']);
  });
});
