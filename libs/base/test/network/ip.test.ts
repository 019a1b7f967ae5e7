import { isIPv4, isIPv6 } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseIPv4, parseIPv6, unmapIPv4 } from '@sluice/base';

/** Computes the words of an IP address from its groups, independently of the tested code. */
function wordsOf(text: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const [, before = '', ...octets] = dotted ?? [];
  const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number);
  const whole = dotted === null ? text : `${before}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  const [head = '', tail] = whole.split('::');
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const all = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  return [0, 2, 4, 6].map((i) => (all[i] as number) * 65_536 + (all[i + 1] as number));
}

describe('IP addresses as numbers', () => {
  it('parseIPv4 agrees with Node for any sequence of digits', () => {
    const octet = fc.oneof(
      fc.nat(299).map(String),
      fc.constantFrom('', '00', '01', '0', '255', '256', 'a', '1000', ' 1'),
    );
    fc.assert(
      fc.property(fc.array(octet, { minLength: 2, maxLength: 5 }), (octets) => {
        const text = octets.join('.');
        const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number);
        expect(parseIPv4(text), text).to.equal(isIPv4(text) ? ((a * 256 + b) * 256 + c) * 256 + d : -1);
        expect(parseIPv4(`x${text}y`, 1, text.length + 1)).to.equal(parseIPv4(text));
      }),
      { numRuns: 1000 },
    );
  });

  const fours: [text: string, value: number][] = [
    ['0.0.0.0', 0],
    ['255.255.255.255', 0xffffffff],
    ['1.2.3.4', 0x01020304],
    ['1.2.3.4.', -1],
    ['.1.2.3.4', -1],
    ['1..2.3', -1],
    ['1.2.3', -1],
    ['1.2.3.4.5', -1],
    ['1.2.3.256', -1],
    ['1.2.3.04', -1],
    ['1.2.3./', -1],
    ['1.2.3.:', -1],
    ['0001.002.003.004', -1],
  ];
  for (const [text, value] of fours)
    it(`parseIPv4 parses ${text} as ${value}`, () => expect(parseIPv4(text)).to.equal(value));

  it('parseIPv6 agrees with Node for any sequence of groups', () => {
    const group = fc.oneof(
      { weight: 8, arbitrary: fc.nat(0xffff).map((value) => value.toString(16)) },
      fc.constantFrom('', '0000', '00001', 'g', '1.2.3.4', '1.2.3', 'ABCD'),
    );
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 1, maxLength: 9 }),
        fc.nat(9),
        fc.constantFrom('', '1.2.3.4', '9.8.7.256'),
        (groups, gap, tail) => {
          const parts = gap < groups.length ? [...groups.slice(0, gap), '', ...groups.slice(gap)] : groups;
          for (const text of [
            groups.join(':'),
            parts.join(':'),
            `::${groups.join(':')}`,
            `${groups.join(':')}::`,
            `${groups.join(':')}:${tail}`,
            `::${tail}`,
          ]) {
            const words = Uint32Array.of(1, 2, 3, 4);
            expect(parseIPv6(text, words), text).to.equal(isIPv6(text));
            expect([...words], text).to.deep.equal(isIPv6(text) ? wordsOf(text) : [1, 2, 3, 4]);
            expect(parseIPv6(`${text}%eth0`, words, text.length)).to.equal(isIPv6(text));
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('unmapIPv4 converts IPv4-mapped IPv6 addresses to IPv4 addresses', () => {
    expect(unmapIPv4('::ffff:127.0.0.1')).to.equal('127.0.0.1');
    for (const text of ['::ffff:1', '127.0.0.1', '::1', '::127.0.0.1']) expect(unmapIPv4(text)).to.equal(text);
  });
});
