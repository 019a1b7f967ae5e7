import { expect } from 'chai';
import fc from 'fast-check';
import {
  decodeText,
  encodeText,
  float64,
  goType,
  int64,
  isTrue,
  reflectKind,
  typedList,
  typedMap,
  typeOf,
} from '../../src/index.ts';
import { byteLength, compareText, runeCount, sliceBytes } from '../../src/values/text.ts';

class Plain {
  readonly Field = 1;
}
class Named {
  readonly [goType] = '*pkg.Named';
}

describe('template values', () => {
  const kinds: [string, unknown, string, string, boolean][] = [
    ['undefined', undefined, 'invalid', '<nil>', false],
    ['null', null, 'invalid', '<nil>', false],
    ['a boolean', false, 'bool', 'bool', false],
    ['a string', 'a', 'string', 'string', true],
    ['a safe integer', 3, 'int', 'int', true],
    ['zero', 0, 'int', 'int', false],
    ['a bigint', 2n ** 60n, 'int', 'int', true],
    ['a fraction', 1.5, 'float64', 'float64', true],
    ['an integer beyond 2^53', 2 ** 60, 'float64', 'float64', true],
    ['not a number', NaN, 'float64', 'float64', true],
    ['an integral float', float64(1), 'float64', 'float64', true],
    ['an int64', int64(0), 'int64', 'int64', false],
    ['an array', [1], 'slice', '[]interface {}', true],
    ['a typed array', typedList([], 'string'), 'slice', '[]string', false],
    ['bytes', new Uint8Array(1), 'slice', '[]uint8', true],
    ['a plain object', { a: 1 }, 'map', 'map[string]interface {}', true],
    ['an object without prototype', Object.create(null), 'map', 'map[string]interface {}', false],
    ['a Map', new Map([[1, 2]]), 'map', 'map[int]interface {}', true],
    ['a typed Map', typedMap(new Map([['a', 'b']]), 'string'), 'map', 'map[string]string', true],
    ['an instance', new Plain(), 'struct', 'Plain', true],
    ['an instance with a Go type', new Named(), 'ptr', '*pkg.Named', true],
    ['a function', () => 1, 'func', 'func()', true],
  ];
  for (const [name, value, kind, type, truth] of kinds) {
    it(`typeOf identifies ${name} as ${type}`, () => {
      expect([reflectKind(value), typeOf(value), isTrue(value)]).to.deep.equal([kind, type, truth]);
    });
  }

  describe('template strings', () => {
    it('byteLength and sliceBytes count bytes', () => {
      expect(byteLength('héllo')).to.equal(6);
      expect(byteLength('😀')).to.equal(4);
      expect(runeCount('h😀é')).to.equal(3);
      const half = sliceBytes('é', 0, 1);
      expect(byteLength(half)).to.equal(1);
      expect([...encodeText(half)]).to.deep.equal([0xc3]);
      expect([...encodeText(half + sliceBytes('é', 1, 2))]).to.deep.equal([...Buffer.from('é')]);
    });

    it('decodeText and encodeText preserve arbitrary bytes', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
          const text = decodeText(bytes);
          expect([...encodeText(text)]).to.deep.equal([...bytes]);
          expect(byteLength(text)).to.equal(bytes.length);
        }),
      );
    });

    it('compareText compares by bytes', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
          expect(Math.sign(compareText(a, b))).to.equal(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
        }),
      );
      expect(compareText('\uffee', '😀')).to.equal(-1);
    });
  });
});
