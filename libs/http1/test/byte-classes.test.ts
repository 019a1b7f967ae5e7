import { expect } from 'chai';
import * as classes from '../src/byte-classes.ts';

/** Expected table values, computed from each character. */
const expected: [table: Uint8Array, name: string, of: (character: string, byte: number) => number][] = [
  [
    classes.lowerNameByte,
    'names',
    (character) => (/[!#$%&'*+.^_`|~\dA-Za-z-]/.test(character) ? character.toLowerCase().charCodeAt(0) : 0),
  ],
  [
    classes.targetByte,
    'targets',
    (character, byte) => {
      if (byte <= 32 || byte === 127) return classes.targetEnd;
      if (byte >= 128) return classes.targetHigh;
      if (character === '%') return classes.targetPercent;
      return /["<>\\^`{}|#]/.test(character) ? classes.targetEscape : classes.targetPlain;
    },
  ],
  [
    classes.valueByte,
    'values',
    (character, byte) => (byte >= 128 ? 2 : /[ -~\t]/.test(character) ? 0 : classes.valueEnd),
  ],
  [classes.hostByte, 'authorities', (character) => (/[\w.~!$&'()*+,;=%:[\]-]/.test(character) ? 1 : 0)],
  [
    classes.hexByte,
    'hexadecimal digits',
    (character) => (/[\dA-Fa-f]/.test(character) ? Number.parseInt(character, 16) : 255),
  ],
];

describe('http1 byte classes', () => {
  for (const [table, name, of] of expected) {
    it(`the byte table for ${name} classifies every byte correctly`, () => {
      const all = Array.from({ length: 256 }, (_, byte) => of(String.fromCharCode(byte), byte));
      expect([...table]).to.deep.equal(all);
    });
  }

  it('the byte classes of request targets can be combined as bit flags', () => {
    const { targetPercent, targetEscape, targetHigh, targetEnd, targetPlain } = classes;
    expect(new Set([targetPercent, targetEscape, targetHigh, targetEnd, targetPlain]).size).to.equal(5);
    expect([targetPercent & targetEscape, targetPercent & targetHigh, targetEscape & targetHigh]).to.deep.equal([
      0, 0, 0,
    ]);
  });
});
